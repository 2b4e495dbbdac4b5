import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as sendRequest } from 'node:https';
import { PassThrough, type Duplex } from 'node:stream';
import type { Cluster } from '@cro/kube-runtime/kubeconfig';
import type { Gate, Side } from './gate.ts';
import { execLabel } from './labels.ts';

/** Where upgrades go, and what they pass. */
export interface UpgradeRoute {
  readonly gate: Gate;
  readonly transport: Pick<Cluster['transport'], 'upgrade'>;
  /** For whom; undefined: for whom the transport speaks. */
  readonly user: string | undefined;
}

/** What came of an upgrade: the answer's status, and what the client has not got yet. */
interface Ended {
  readonly status: number;
  readonly last: Buffer;
}

/**
 * Passes an upgrade, such as that of a command on a node, to the API server and through the gate: before it is sent, and after the
 * command has ended; where it is held then, nothing of what it said has reached the client yet. A client that leaves hangs up, but what
 * was held goes its way, whatever became of the one that sent it. Rejects when it cannot be passed.
 */
export async function passUpgrade(route: UpgradeRoute, incoming: IncomingMessage, client: Duplex): Promise<void> {
  const { gate } = route;
  const left = new AbortController();
  const leave = () => {
    left.abort();
  };
  // Whatever breaks a connection closes it.
  client
    .on('error', () => undefined)
    .once('end', leave)
    .once('close', leave);
  // Read at once: so it is seen when it ends.
  const input = client.pipe(new PassThrough(), { end: false });
  const label = execLabel(incoming.url ?? '/');
  const { status, last } = await gate.pass(label, (held) =>
    converse(route, incoming, { client, input, left: left.signal, held }),
  );
  gate.answered(label, status);
  client.end(last);
}

interface Passage {
  readonly client: Duplex;
  readonly input: PassThrough;
  readonly left: AbortSignal;
  readonly held: Side | undefined;
}

async function converse(
  { transport, user }: UpgradeRoute,
  incoming: IncomingMessage,
  passage: Passage,
): Promise<Ended> {
  const { url, agent, headers } = await transport.upgrade(incoming.url ?? '/');
  const https = new URL(url);
  https.protocol = 'https:';
  const { host: _, ...given } = incoming.headers;
  const all: OutgoingHttpHeaders = { ...given, ...headers, ...(user !== undefined && { 'impersonate-user': user }) };
  return new Promise((resolve, reject) => {
    const sent = sendRequest(https, { agent, headers: all });
    hangUpWith(passage, () => sent.destroy());
    sent.once('error', reject);
    sent.once('response', (answer) => {
      refusalOf(answer).then(resolve, reject);
    });
    sent.once('upgrade', (answer, server, head) => {
      hangUpWith(passage, () => server.destroy());
      passage.client.write(headOf(answer, answer.rawHeaders));
      passage.input.pipe(server);
      server.unshift(head);
      const status = answer.statusCode ?? 0;
      const last = passage.held === 'after' ? allOf(server) : handedOn(server, passage.client);
      last.then((bytes) => {
        resolve({ status, last: bytes });
      }, reject);
    });
    sent.end();
  });
}

function hangUpWith({ left, held }: Passage, hangUp: () => void): void {
  if (held === undefined) left.addEventListener('abort', hangUp, { once: true });
}

async function allOf(server: Duplex): Promise<Buffer> {
  const parts: Buffer[] = [];
  server.on('data', (part: Buffer) => parts.push(part));
  await closed(server);
  return Buffer.concat(parts);
}

async function handedOn(server: Duplex, client: Duplex): Promise<Buffer> {
  server.pipe(client);
  await closed(server);
  return Buffer.alloc(0);
}

function closed(server: Duplex): Promise<unknown> {
  return new Promise((resolve) => server.on('error', resolve).once('close', resolve));
}

/** An answer that upgrades nothing, as it goes to the client: of a known length, and the last one of its connection. */
async function refusalOf(answer: IncomingMessage): Promise<Ended> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(Buffer.from(part as Uint8Array));
  const body = Buffer.concat(parts);
  const type = answer.headers['content-type'] ?? 'text/plain';
  const fields = ['content-type', type, 'content-length', String(body.length), 'connection', 'close'];
  return { status: answer.statusCode ?? 0, last: Buffer.concat([headOf(answer, fields), body]) };
}

/** Status line and header fields; `fields` has names and values by turns. */
function headOf({ statusCode = 0, statusMessage = '' }: IncomingMessage, fields: readonly string[]): Buffer {
  const lines = Array.from({ length: fields.length / 2 }, (_, n) => `${fields[2 * n]}: ${fields[2 * n + 1]}\r\n`);
  return Buffer.from(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`);
}
