import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A TLS server on loopback that counts its connections. */
export async function tlsServer(
  options: ServerOptions,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const server = createServer(options, onRequest);
  let connections = 0;
  server.on('secureConnection', () => {
    connections += 1;
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: new URL(`https://127.0.0.1:${port}`),
    connections: () => connections,
    /** Breaks every connection with a TCP reset. */
    resetAll: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
