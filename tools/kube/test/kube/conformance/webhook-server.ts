import { createServer } from 'node:https';
import { once } from 'node:events';
import { createAuthority } from '../../../src/plane/certificates.ts';
import { fieldAt } from '../support/kinds.ts';

/** A validating webhook on 127.0.0.1 that both servers call. */
export interface WebhookServer {
  readonly url: string;
  /** As webhook configurations hold it. */
  readonly caBundle: string;
  /** Of an authority that has not signed its certificate. */
  readonly wrongBundle: string;
  close(): Promise<void>;
}

/** Starts one. It answers what the object's `spec.free.response` says, and nothing at all where that is `"silence"`. */
export async function startWebhookServer(now: number): Promise<WebhookServer> {
  const [authority, stranger] = await Promise.all([createAuthority(now), createAuthority(now)]);
  const { certificate, key } = await authority.serving('webhook');
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      const answer = answerTo(JSON.parse(text));
      if (answer !== undefined) outgoing.setHeader('content-type', 'application/json').end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const bundle = (pem: string) => Buffer.from(pem).toString('base64');
  return {
    url: `https://127.0.0.1:${String(port)}`,
    caBundle: bundle(authority.certificate),
    wrongBundle: bundle(stranger.certificate),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerTo(review: unknown): string | undefined {
  const wanted = fieldAt(review, 'request', 'object', 'spec', 'free', 'response');
  if (wanted === 'silence') return undefined;
  if (wanted === 'nonsense') return '{"a":';
  const response = { uid: fieldAt(review, 'request', 'uid'), allowed: true, ...Object(wanted) } as object;
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
}
