import { WebSocketServer, type WebSocket } from 'ws';
import type { Pem } from './certificates.ts';
import { tlsServer } from './tls-server.ts';

/** Sends a frame on a channel of the exec protocol: 1 stdout, 2 stderr, 3 status. */
export type SendFrame = (channel: number, text: string) => void;

/** A server that answers exec over WebSocket. `onExec` plays the command; it is given the path and the stdin frames. */
export async function execServer(
  serving: Pem,
  onExec: (url: URL, send: SendFrame, socket: WebSocket, stdin: (listener: (text: string) => void) => void) => void,
) {
  const server = await tlsServer(serving, (_request, response) => {
    response.end();
  });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (protocols) => (protocols.has('v5.channel.k8s.io') ? 'v5.channel.k8s.io' : false),
  });
  server.server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', server.url);
    if (url.pathname.includes('/forbidden/')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      const send: SendFrame = (channel, text) => {
        websocket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
      };
      onExec(url, send, websocket, (listener) => {
        websocket.on('message', (data: Buffer) => {
          if (data[0] === 0) listener(data.subarray(1).toString());
        });
      });
    });
  });
  return server;
}
