import { request } from 'node:https';
import { isIP } from 'node:net';
import type { WebhookAnswer, WebhookCaller } from './webhook-caller.ts';

/** Calls webhooks over HTTPS. The certificate is always checked, against the caBundle where there is one. */
export const httpsCaller: WebhookCaller = (call, signal) =>
  new Promise<WebhookAnswer>((resolve) => {
    const url = new URL(call.url);
    const outgoing = request(
      {
        host: call.host,
        port: call.port,
        // TLS names no addresses: for them the host is what the certificate is checked against.
        ...(isIP(call.serverName) === 0 ? { servername: call.serverName } : {}),
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', host: url.host, 'content-length': Buffer.byteLength(call.body) },
        ...(call.caBundle === undefined ? {} : { ca: call.caBundle }),
        agent: false,
        signal,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          resolve({ ok: true, status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        incoming.on('error', (error) => {
          resolve({ ok: false, message: error.message });
        });
      },
    );
    outgoing.on('error', (error) => {
      resolve({ ok: false, message: goNetError(error, `${call.host}:${String(call.port)}`) });
    });
    outgoing.end(call.body);
  });

/** What Node says of a certificate that nobody known has signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The words of Go for what people see most often; others stay as they are. */
function goNetError(error: Error, address: string): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (!UNTRUSTED.has(code)) return error.message;
  return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
}
