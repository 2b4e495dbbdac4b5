import { createServer } from 'node:net';

/** A port of 127.0.0.1 that is free now. Used for servers in another process, which cannot tell the port they got. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no port was bound on 127.0.0.1'));
        else resolve(address.port);
      });
    });
  });
}
