import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Clock } from '@cro/clock';
import type { ControlPlane } from '../plane/start.ts';
import { startProgram } from '../plane/program.ts';
import type { KubeletBackend } from './backend.ts';
import { Control } from './control.ts';
import { parseOpening } from './messages.ts';
import { serveExec } from './serve-exec.ts';

/** What a fake kubelet is started from. */
export interface KubeletOptions {
  /** Path of the program (`cachedOrBuilt('fake-kubelet', ...)`). */
  readonly path: string;
  /** The control plane that it belongs to. */
  readonly plane: Pick<ControlPlane, 'kubelet'>;
  /** A folder for its socket and its log, which only this user may enter. A socket's path has at most 107 bytes. */
  readonly directory: string;
  readonly backend: KubeletBackend;
  readonly clock: Clock;
}

/** A process that is the kubelet of every simulated node. */
export interface FakeKubelet {
  /** Serves a node; answers its port on 127.0.0.1, which belongs into the Node's status. */
  listen(node: string): Promise<number>;
  /** Ends a node's kubelet, and the commands that run through it. */
  close(node: string): Promise<void>;
  /** Rejects when it ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 5_000;

/** Starts a fake kubelet. Rejects, and leaves nothing running, when it does not come up. */
export async function startFakeKubelet(options: KubeletOptions): Promise<FakeKubelet> {
  const { path, plane, directory, backend, clock } = options;
  const socketPath = join(directory, 'kubelet.sock');
  const control = new Control();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    attend(socket, control, backend);
  });
  await listenAt(server, socketPath);
  const { ca, certificate, key, client } = plane.kubelet;
  const program = await startProgram({
    name: 'fake-kubelet',
    path,
    args: [
      `--socket=${socketPath}`,
      `--ca=${ca}`,
      `--certificate=${certificate}`,
      `--key=${key}`,
      `--client=${client}`,
    ],
    logPath: join(directory, 'fake-kubelet.log'),
  });
  const stop = async () => {
    await program.stop(clock, STOP_WITHIN_MS);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  const orFailed = <T>(work: Promise<T>) => Promise.race([program.failed, work]);
  try {
    await orFailed(control.connected);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    listen: (node) => orFailed(control.listen(node)),
    close: (node) => orFailed(control.close(node)),
    failed: program.failed,
    stop,
  };
}

function attend(socket: Socket, control: Control, backend: KubeletBackend): void {
  const lines: Interface = createInterface({ input: socket });
  // A connection that breaks is closed, and that is seen. What reads its lines passes its errors on.
  socket.on('error', () => undefined);
  lines.on('error', () => undefined);
  lines.once('line', (line) => {
    const opening = parseOpening(line);
    if (opening.tag === 'control') control.connect(socket, lines);
    else void serveExec(backend, opening, socket, lines);
  });
}

function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
