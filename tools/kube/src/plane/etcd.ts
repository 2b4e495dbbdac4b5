import { readFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import type { PairFiles } from './files.ts';

/** How to reach an etcd: its gateway answers gRPC's calls as JSON over HTTPS (etcd.io/docs/v3.6/dev-guide/api_grpc_gateway). */
export interface EtcdAccess {
  readonly port: number;
  /** PEM file of the CA that both sides trust. */
  readonly ca: string;
  readonly client: PairFiles;
}

/** The key that etcd has nothing under: a single zero byte. */
const NO_KEY = Buffer.of(0).toString('base64');

/** Throws away all history of an etcd, up to now. Rejects with etcd's answer when it refuses. */
export async function compact(access: EtcdAccess): Promise<void> {
  const { header } = await call(access, '/v3/kv/range', { key: NO_KEY });
  await call(access, '/v3/kv/compaction', { revision: header.revision, physical: true });
}

interface Answer {
  readonly header: { readonly revision: string };
}

async function call({ port, ca, client }: EtcdAccess, path: string, body: object): Promise<Answer> {
  const credentials = {
    ca: await readFile(ca),
    cert: await readFile(client.certificate),
    key: await readFile(client.key),
  };
  const { status, text } = await post({ host: '127.0.0.1', port, path, ...credentials }, JSON.stringify(body));
  const answer: unknown = status === 200 ? JSON.parse(text) : undefined;
  if (!isAnswer(answer)) throw new Error(`etcd ${path}: ${status} ${text}`);
  return answer;
}

function post(options: RequestOptions, body: string) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request({ ...options, method: 'POST', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null || !('header' in value)) return false;
  const { header } = value;
  return typeof header === 'object' && header !== null && 'revision' in header && typeof header.revision === 'string';
}
