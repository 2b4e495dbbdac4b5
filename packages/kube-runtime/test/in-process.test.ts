import { describe, expect, it } from 'vitest';
import { readText } from '../src/client/request.ts';
import { inProcessTransport } from '../src/testing.ts';

const never = new AbortController().signal;

describe('inProcessTransport', () => {
  it('hands over the request, and gives the answer as a socket would', async () => {
    const transport = inProcessTransport((request) =>
      Promise.resolve({ status: 201, headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(request) }),
    );
    const response = await transport.send({ method: 'POST', path: '/x?y=z', headers: { a: 'b' }, body: 'ü' }, never);
    expect([response.status, response.headers]).toEqual([201, { 'content-type': 'text/plain' }]);
    const request = { method: 'POST', path: '/x?y=z', headers: { a: 'b' }, body: 'ü' };
    expect(JSON.parse(await readText(response.body))).toEqual(request);
  });

  it('ends a request that hangs when its signal aborts', async () => {
    const stop = new AbortController();
    const transport = inProcessTransport(() => new Promise(() => undefined));
    const sent = transport.send({ method: 'GET', path: '/' }, stop.signal);
    stop.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });

  it('ends a body that hangs when its signal aborts, and its source too', async () => {
    const stop = new AbortController();
    let ended: () => void = () => undefined;
    const sourceEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let release: () => void = () => undefined;
    async function* source() {
      try {
        yield 'first';
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        yield 'second';
      } finally {
        ended();
      }
    }
    const transport = inProcessTransport(() => Promise.resolve({ status: 200, headers: {}, body: source() }));
    const response = await transport.send({ method: 'GET', path: '/' }, stop.signal);
    const chunks = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value).toString()).toBe('first');
    const next = chunks.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    release();
    await sourceEnded;
  });
});
