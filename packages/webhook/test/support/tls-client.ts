import { request, type RequestOptions } from 'node:https';
import type { PeerCertificate, TLSSocket } from 'node:tls';

/** What came back over TLS. */
export interface TlsAnswer {
  readonly status: number;
  readonly body: string;
  readonly certificate: PeerCertificate;
}

/** Posts JSON over a connection of its own, trusting only `ca`. Rejects when the certificate is not good. */
export function post(port: number, ca: string, body: string, options: RequestOptions = {}): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: '127.0.0.1', port, ca, method: 'POST', agent: false },
        headers: { 'content-type': 'application/json' },
        ...options,
      },
      (response) => {
        const certificate = (response.socket as TLSSocket).getPeerCertificate();
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), certificate });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
