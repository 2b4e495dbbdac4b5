import { gotHttp, isSendError, type GotHttp, type GotHttpOptions } from '@cro/cdi-core';
import { ConnectionLost } from '@cro/fabric-sim';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileIn, json, never, startServer } from '../support/server.ts';

function openHttp(options: Partial<GotHttpOptions> = {}): GotHttp {
  const http = gotHttp({ env: {}, ...options });
  onTestFinished(() => http.close());
  return http;
}

const get = (url: string, caFile?: string) => ({
  method: 'GET' as const,
  url,
  ...(caFile === undefined ? {} : { caFile }),
});

async function faultOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isSendError(error)) throw new Error(`a SendError was expected, there was ${String(error)}`);
  return error;
}

describe('gotHttp', () => {
  test('sends method, headers and body as they are, DELETE with a body included', async () => {
    const seen: unknown[] = [];
    const { url, caFile } = await startServer(({ method, path, headers, body }) => {
      seen.push({ method, path, body, type: headers['content-type'] });
      return json(202, { ok: true }, { 'retry-after': '3' });
    });
    const http = openHttp();
    const request = { method: 'DELETE', url: `${url}/a?b=c`, body: '{"x":1}', caFile } as const;
    const answer = await http.send({ ...request, headers: { 'content-type': 'application/json' } }, never);
    expect(seen).toEqual([{ method: 'DELETE', path: '/a?b=c', body: '{"x":1}', type: 'application/json' }]);
    expect(answer).toMatchObject({ status: 202, body: '{"ok":true}' });
    expect(answer.headers['retry-after']).toBe('3');
  });

  test('neither repeats a 500 nor follows a redirect', async () => {
    let calls = 0;
    const { url, caFile } = await startServer(({ path }) => {
      calls += 1;
      return path === '/moved' ? { status: 302, headers: { location: '/other' }, body: '' } : json(500, {});
    });
    const http = openHttp();
    expect((await http.send(get(`${url}/broken`, caFile), never)).status).toBe(500);
    expect((await http.send(get(`${url}/moved`, caFile), never)).status).toBe(302);
    expect(calls).toBe(2);
  });

  test('a refused connection was never sent, and the message names the endpoint', async () => {
    const server = await startServer(() => json(200, {}));
    await server.close();
    const fault = await faultOf(openHttp().send(get(`${server.url}/secret-path`, server.caFile), never));
    expect(fault).toMatchObject({ fault: 'refused', sent: false });
    expect(fault.message).toContain(server.url);
    expect(fault.message).not.toContain('secret-path');
  });

  test('a URL that is none was never sent', async () => {
    const fault = await faultOf(openHttp().send(get('https://fm:99999/'), never));
    expect(fault).toMatchObject({ fault: 'refused', sent: false });
  });

  test('a connection that breaks may have been sent', async () => {
    const { url, caFile } = await startServer(() => {
      throw new ConnectionLost();
    });
    expect(await faultOf(openHttp().send(get(url, caFile), never))).toMatchObject({ fault: 'broken', sent: true });
  });

  test('an abort while the server works may have been sent; one before was not', async () => {
    const controller = new AbortController();
    const { url, caFile } = await startServer(async (_, signal) => {
      controller.abort();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new ConnectionLost());
        });
      });
    });
    const http = openHttp();
    const during = await faultOf(http.send(get(url, caFile), controller.signal));
    expect(during).toMatchObject({ fault: 'aborted', sent: true });
    const before = await faultOf(http.send(get(url, caFile), controller.signal));
    expect(before).toMatchObject({ fault: 'aborted', sent: false });
  });

  test('an answer without end is cut off', async () => {
    const { url, caFile } = await startServer(() => json(200, 'x'.repeat(100_000)));
    const fault = await faultOf(openHttp({ maxBodyBytes: 10_000 }).send(get(url, caFile), never));
    expect(fault).toMatchObject({ fault: 'broken', sent: true });
    expect(fault.message).toContain('larger than 10000 bytes');
  });
});

describe('trust', () => {
  test('a server whose CA is not known is refused, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    let calls = 0;
    const { url } = await startServer(() => {
      calls += 1;
      return json(200, {});
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const fault = await faultOf(openHttp().send(get(url), never));
    expect(fault).toMatchObject({ fault: 'tls', sent: false });
    expect(fault.message).toMatch(/not trusted .*caFile/);
    expect(calls).toBe(0);
  });

  test.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])('the CA in %s is trusted', async (variable) => {
    const { url, caFile } = await startServer(() => json(200, {}));
    const http = openHttp({ env: { [variable]: caFile } });
    expect((await http.send(get(url), never)).status).toBe(200);
  });

  test('a CA file takes the place of the defaults', async () => {
    const trusted = await startServer(() => json(200, {}));
    const other = await startServer(() => json(200, {}));
    const http = openHttp({ env: { SSL_CERT_FILE: trusted.caFile } });
    const fault = await faultOf(http.send(get(trusted.url, other.caFile), never));
    expect(fault.fault).toBe('tls');
  });

  test('a CA file is read again when it changes', async () => {
    const first = await startServer(() => json(200, {}));
    const second = await startServer(() => json(201, {}));
    const file = await fileIn(first.folder, 'bundle.pem', first.caPem);
    const http = openHttp();
    expect((await http.send(get(first.url, file), never)).status).toBe(200);
    await fileIn(first.folder, 'bundle.pem', `${second.caPem}\n`);
    expect((await http.send(get(second.url, file), never)).status).toBe(201);
    expect((await faultOf(http.send(get(first.url, file), never))).fault).toBe('tls');
  });

  test.each([
    ['is missing', undefined, /cannot be used: ENOENT/],
    ['is empty', '', /holds no PEM certificate/],
    [
      'is damaged',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      /certificate number 1 cannot be read/,
    ],
  ])('a CA file that %s is named, and works once it is mended', async (_, text, message) => {
    const { url, caPem, folder } = await startServer(() => json(200, {}));
    const file = text === undefined ? `${folder}/late.pem` : await fileIn(folder, 'late.pem', text);
    const http = openHttp();
    const fault = await faultOf(http.send(get(url, file), never));
    expect(fault).toMatchObject({ fault: 'trust', sent: false });
    expect(fault.message).toContain(file);
    expect(fault.message).toMatch(message);
    await fileIn(folder, 'late.pem', caPem);
    expect((await http.send(get(url, file), never)).status).toBe(200);
  });

  test('a certificate for another name, and one that has expired, are told apart', async () => {
    const { url, caFile } = await startServer(() => json(200, {}));
    const otherName = await faultOf(openHttp().send(get(url.replace('127.0.0.1', 'localhost'), caFile), never));
    expect(otherName.message).toContain('for another name');
    const old = { now: () => Date.UTC(2001, 0, 1), monotonic: () => 0, after: () => () => undefined };
    const expired = await startServer(() => json(200, {}), { clock: old });
    const fault = await faultOf(openHttp().send(get(expired.url, expired.caFile), never));
    expect(fault).toMatchObject({ fault: 'tls', sent: false });
    expect(fault.message).toContain('not valid now');
  });
});
