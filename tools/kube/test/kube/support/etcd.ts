import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { ControlPlane } from '../../../src/index.ts';

/** Compacts etcd up to now, through its JSON gateway: what was before is gone for every list and watch that asks etcd. */
export async function compactEtcd(control: ControlPlane): Promise<void> {
  const { header } = await ask<{ readonly header: { readonly revision: string } }>(control, '/v3/kv/range', {
    key: 'AA==',
  });
  await ask(control, '/v3/kv/compaction', { revision: header.revision, physical: true });
}

async function ask<T>({ etcd }: ControlPlane, path: string, body: object): Promise<T> {
  const [ca, cert, key] = await Promise.all([etcd.ca, etcd.certificate, etcd.key].map((file) => readFile(file)));
  const text = await new Promise<string>((resolve, reject) => {
    const outgoing = request(new URL(path, etcd.url), { method: 'POST', ca, cert, key, agent: false }, (incoming) => {
      let answered = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => (answered += part));
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve(answered);
        else reject(new Error(`etcd answered ${String(incoming.statusCode)} to ${path}: ${answered}`));
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
  return JSON.parse(text) as T;
}
