import { once } from 'node:events';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Pem } from './certificates.ts';
import { tlsServer } from './tls-server.ts';

/** A command that has arrived. */
export interface Arrived {
  readonly url: URL;
  /** The Authorization header. */
  readonly token: string | undefined;
  /** Sends a message on a channel of the exec protocol: 1 stdout, 2 stderr, 3 status. */
  readonly send: (channel: number, text: string) => void;
  readonly socket: WebSocket;
  /** Calls the listener with all of the input when that has ended. */
  readonly stdin: (listener: (text: string) => void) => void;
}

/** A server that answers exec over WebSocket. `onExec` plays the command. In namespace `answers-<status>` nothing is upgraded, in `hangs-up` nothing is answered. */
export async function execServer(serving: Pem, onExec: (arrived: Arrived) => void) {
  const server = await tlsServer(serving, (_request, response) => {
    response.end();
  });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (protocols) => (protocols.has('v5.channel.k8s.io') ? 'v5.channel.k8s.io' : false),
  });
  server.server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', server.url);
    if (url.pathname.includes('/hangs-up/')) {
      socket.destroy();
      return;
    }
    const status = /\/answers-(\d+)\//.exec(url.pathname)?.[1];
    if (status !== undefined) {
      const body = JSON.stringify({ kind: 'Status', code: Number(status), message: `because of ${status}` });
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      sockets.emit('connection', websocket);
      websocket.once('close', () => sockets.emit('gone'));
      onExec({
        url,
        token: request.headers.authorization,
        socket: websocket,
        send: (channel, text) => {
          websocket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
        },
        stdin: (listener) => {
          let text = '';
          websocket.on('message', (data: Buffer) => {
            if (data[0] === 0) text += data.subarray(1).toString();
            if (data[0] === 255 && data[1] === 0) listener(text);
          });
        },
      });
    });
  });
  return {
    ...server,
    /** Resolves when the next command arrives. */
    nextOpened: () => once(sockets, 'connection'),
    /** Resolves when the next connection of a command is closed. */
    nextClosed: () => once(sockets, 'gone'),
  };
}
