import { createServer, type Server } from 'node:net';

/** Ports of 127.0.0.1 that are free now, each another. For servers in other processes, which cannot tell the port they got. */
export async function freePorts(count: number): Promise<readonly number[]> {
  // All are held until the last is known, so that none is told twice.
  const held = await Promise.all(Array.from({ length: count }, hold));
  await Promise.all(held.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return held.map(({ port }) => port);
}

function hold(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port was bound on 127.0.0.1'));
      else resolve({ server, port: address.port });
    });
  });
}
