import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { internalError, statusOf as statusOfFailure } from '../base/failures.ts';
import { TextStream } from '../api/text-stream.ts';
import { ConnectionCut, type SimResponse } from '../base/http.ts';
import type { ExecSession } from '../exec/exec-gate.ts';
import type { KubeSim } from '../core/kube-sim.ts';
import { toSimRequest } from './read-request.ts';

/** The first byte of each message (k8s.io/apimachinery/pkg/util/remotecommand). */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const;
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Answers `pods/exec` over WebSockets, by Kubernetes' channel protocol in versions 4 and 5. */
export function createExecSockets(sim: KubeSim): (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  });
  const open = async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const hangUp = new AbortController();
    socket.once('close', () => {
      hangUp.abort();
    });
    const opening = await sim.openExec(toSimRequest(incoming, ''), hangUp.signal);
    if (!opening.ok) refuse(socket, opening.response);
    else {
      sockets.handleUpgrade(incoming, socket, head, (webSocket) => {
        void runSession(opening.session, webSocket);
      });
    }
  };
  return (incoming, socket, head) => {
    open(incoming, socket, head).catch((error: unknown) => {
      socket.destroy(error instanceof ConnectionCut ? undefined : toError(error));
    });
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Answers an upgrade with a plain response. */
export function refuse(socket: Duplex, response: SimResponse): void {
  const body = typeof response.body === 'string' ? response.body : '';
  const headers = { ...response.headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(response.status)} Refused\r\n${lines.join('')}\r\n${body}`);
}

async function runSession(session: ExecSession, webSocket: WebSocket): Promise<void> {
  const hangUp = new AbortController();
  const stdin = new TextStream(() => undefined);
  const send = (channel: number, text: string) => {
    webSocket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text, 'utf8')]));
  };
  webSocket.on('message', (data: Buffer) => {
    if (data[0] === CHANNEL.stdin) stdin.write(data.subarray(1).toString('utf8'));
    if (data[0] === CHANNEL.close && data[1] === CHANNEL.stdin) stdin.end();
  });
  webSocket.on('close', () => {
    stdin.end();
    hangUp.abort();
  });
  const io = {
    stdin: session.wantsStdin ? stdin : undefined,
    stdout: (text: string) => {
      send(CHANNEL.stdout, text);
    },
    stderr: (text: string) => {
      send(CHANNEL.stderr, text);
    },
  };
  send(CHANNEL.error, JSON.stringify(await statusOf(session, io, hangUp.signal)));
  webSocket.close(1000);
}

/** A script that rejects ends the command with an error, which says why. */
async function statusOf(session: ExecSession, io: Parameters<ExecSession['run']>[0], signal: AbortSignal) {
  try {
    return await session.run(io, signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return statusOfFailure(internalError(message));
  }
}
