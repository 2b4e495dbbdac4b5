import { systemClock } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createExec, type Exec, type ExecRequest } from '../src/exec.ts';
import { HttpsTransport } from '../src/index.ts';
import { authority } from './support/certificates.ts';
import { execServer } from './support/exec-server.ts';

let server: Awaited<ReturnType<typeof execServer>>;
let transport: HttpsTransport;
let run: Exec;
let lastUrl: URL;
let lastToken: string | undefined;
let tokens: string[];

const success = JSON.stringify({ status: 'Success' });
const exitedWith = (code: number) =>
  JSON.stringify({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  });

beforeAll(async () => {
  const ca = await authority('test');
  server = await execServer(await ca.issue('server'), ({ url, token, send, socket, stdin }) => {
    lastUrl = url;
    lastToken = token;
    switch (url.searchParams.get('command')) {
      case 'greet':
        send(1, 'hello ');
        send(2, 'warning');
        send(1, 'wörld');
        send(3, success);
        return;
      case 'fail':
        send(3, exitedWith(3));
        return;
      case 'missing':
        send(
          3,
          JSON.stringify({
            status: 'Failure',
            reason: 'InternalError',
            message: url.searchParams.getAll('command')[1],
          }),
        );
        return;
      case 'echo':
        stdin((text) => {
          send(1, text);
          send(3, success);
        });
        return;
      case 'flood':
        send(1, 'x'.repeat(2_000));
        return;
      case 'vanish':
        socket.terminate();
        return;
      default:
        // Runs for ever.
        return;
    }
  });
  transport = new HttpsTransport({
    server: server.url,
    credentials: {
      current: () => Promise.resolve({ ca: ca.cert, headers: { authorization: `Bearer ${tokens[0] ?? ''}` } }),
      refused: () => tokens.shift(),
    },
  });
  run = createExec({ transport, clock: systemClock });
});

beforeEach(() => {
  tokens = ['first', 'second'];
});

afterAll(async () => {
  transport.close();
  await server.close();
});

function exec(argv: readonly string[], more: Partial<ExecRequest> = {}) {
  return run({ namespace: 'ns', pod: 'p-0', container: 'main', argv, deadlineMs: 30_000, ...more });
}

describe('exec', () => {
  it('gives the output and the exit code', async () => {
    expect(await exec(['greet', 'you & me'])).toEqual({
      tag: 'exited',
      code: 0,
      stdout: 'hello wörld',
      stderr: 'warning',
    });
    expect(lastUrl.pathname).toBe('/api/v1/namespaces/ns/pods/p-0/exec');
    expect(lastUrl.searchParams.getAll('command')).toEqual(['greet', 'you & me']);
    expect(lastUrl.searchParams.get('container')).toBe('main');
    expect(lastUrl.searchParams.has('stdin')).toBe(false);
    expect(await exec(['fail'])).toMatchObject({ tag: 'exited', code: 3 });
  });

  it('gives the command its input, and says where it ends', async () => {
    const stdin = 'in'.repeat(50_000);
    expect(await exec(['echo'], { stdin })).toMatchObject({ tag: 'exited', stdout: stdin });
    expect(await exec(['echo'], { stdin: '' })).toMatchObject({ tag: 'exited', stdout: '' });
  });

  it.each([
    ['error executing command in container: no such runtime', { tag: 'failed' }],
    ['Timeout occurred', { tag: 'lost' }],
    ['unable to upgrade connection: pod does not exist', { tag: 'notFound' }],
    ['error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused', { tag: 'unreachable' }],
  ])('says why the command was not run: %s', async (message, outcome) => {
    expect(await exec(['missing', message])).toMatchObject({ ...outcome, message });
  });

  it.each([
    [403, { tag: 'refused', status: 403, message: 'because of 403' }],
    [404, { tag: 'notFound', message: 'because of 404' }],
    [503, { tag: 'unreachable', message: 'because of 503' }],
  ])('says why the server does not let it run: %i', async (status, outcome) => {
    expect(await exec(['greet'], { namespace: `answers-${status}` })).toEqual(outcome);
  });

  it('shows the credentials of the transport, and asks for new ones when they are refused', async () => {
    expect(await exec(['greet'], { namespace: 'answers-401' })).toMatchObject({ tag: 'refused', status: 401 });
    await exec(['greet']);
    expect(lastToken).toBe('Bearer second');
  });

  it('says when nobody knows how it ended', async () => {
    const message = 'the connection was closed before the command ended';
    expect(await exec(['vanish'])).toEqual({ tag: 'lost', message });
  });

  it('says so too when nothing was answered: the command may have begun', async () => {
    const message = expect.stringContaining('socket hang up') as string;
    expect(await exec(['greet'], { namespace: 'hangs-up' })).toEqual({ tag: 'lost', message });
  });

  it('bounds the output', async () => {
    expect(await exec(['flood'], { maxOutputBytes: 1_000 })).toEqual({ tag: 'tooMuchOutput', maxOutputBytes: 1_000 });
    expect(await exec(['flood'], { maxOutputBytes: 2_000, signal: AbortSignal.abort() })).toEqual({ tag: 'aborted' });
  });

  it('closes its connection when the signal aborts', async () => {
    const stop = new AbortController();
    const gone = server.nextClosed();
    const running = exec(['hang'], { signal: stop.signal });
    await server.nextOpened();
    stop.abort();
    expect(await running).toEqual({ tag: 'aborted' });
    await gone;
  });

  it('closes its connection when time is up', async () => {
    const clock = new VirtualClock();
    const gone = server.nextClosed();
    const opened = server.nextOpened();
    const impatient = createExec({ transport, clock });
    const request = { namespace: 'ns', pod: 'p', container: 'c', argv: ['hang'], deadlineMs: 5_000 };
    const running = impatient(request);
    await opened;
    await clock.advance(5_000);
    expect(await running).toEqual({ tag: 'timedOut', deadlineMs: 5_000 });
    await gone;
  });

  it('says when the API server is away', async () => {
    const nowhere = new HttpsTransport({
      server: new URL('https://127.0.0.1:1'),
      credentials: { current: () => Promise.resolve({ headers: {} }), refused: () => undefined },
    });
    const request = { namespace: 'ns', pod: 'p', container: 'c', argv: ['x'], deadlineMs: 30_000 };
    const message = expect.stringContaining('ECONNREFUSED') as string;
    expect(await createExec({ transport: nowhere, clock: systemClock })(request)).toEqual({
      tag: 'unreachable',
      message,
    });
  });

  it('sends nothing to a server that is not trusted, and says that nothing ran', async () => {
    const strict = new HttpsTransport({
      server: server.url,
      credentials: { current: () => Promise.resolve({ headers: {} }), refused: () => undefined },
    });
    const request = { namespace: 'ns', pod: 'p', container: 'c', argv: ['x'], deadlineMs: 30_000 };
    const message = expect.stringContaining("the server's certificate is not trusted") as string;
    expect(await createExec({ transport: strict, clock: systemClock })(request)).toEqual({
      tag: 'unreachable',
      message,
    });
  });

  it('says when the credentials cannot be read', async () => {
    const nobody = { upgrade: () => Promise.reject(new Error('no token')) };
    const request = { namespace: 'ns', pod: 'p', container: 'c', argv: ['x'], deadlineMs: 30_000 };
    const outcome = await createExec({ transport: nobody, clock: systemClock })(request);
    expect(outcome).toEqual({ tag: 'unreachable', message: 'no token' });
  });

  it.each([
    [{ namespace: '../x' }, 'namespace is "../x"'],
    [{ pod: 'a/b' }, 'pod is "a/b"'],
    [{ container: 'a?b' }, 'container is "a?b"'],
    [{ argv: [] }, 'argv is empty'],
  ])('sends no request for %j', async (more, message) => {
    const text = expect.stringContaining(message) as string;
    expect(await exec(['greet'], more)).toEqual({ tag: 'refused', status: 0, message: text });
  });
});
