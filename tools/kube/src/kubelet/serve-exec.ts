import type { Interface } from 'node:readline';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { KubeletBackend } from './backend.ts';
import { parseInput, type Answer, type Opening } from './messages.ts';

/** A kubelet's words for a pod that it does not run. */
const NO_POD = 'pod does not exist';

/** Answers one exec, on a connection of its own. */
export async function serveExec(
  backend: KubeletBackend,
  { node, stdin: hasStdin, ...exec }: Extract<Opening, { tag: 'exec' }>,
  socket: Socket,
  lines: Interface,
): Promise<void> {
  const say = (answer: Answer) => socket.write(`${JSON.stringify(answer)}\n`);
  if (!backend.hasPod(node, exec.namespace, exec.pod)) {
    say({ tag: 'refused', status: 404, message: NO_POD });
    socket.end();
    return;
  }
  say({ tag: 'accepted' });
  const hangUp = new AbortController();
  const stdin = new PassThrough({ encoding: 'utf8' });
  lines.on('line', (line) => {
    const input = parseInput(line);
    if (input.tag === 'stdin') stdin.write(Buffer.from(input.data, 'base64'));
    else stdin.end();
  });
  socket.once('close', () => {
    stdin.end();
    hangUp.abort();
  });
  const output = (tag: 'stdout' | 'stderr') => (text: string) => {
    if (text !== '') say({ tag, data: Buffer.from(text).toString('base64') });
  };
  const streams = { stdin: hasStdin ? stdin : undefined, stdout: output('stdout'), stderr: output('stderr') };
  try {
    say({ tag: 'exit', code: await backend.run(exec, streams, hangUp.signal) });
  } catch (error) {
    say({ tag: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
  socket.end();
}
