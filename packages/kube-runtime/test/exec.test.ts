import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execInPod, type ExecRequest } from '../src/kubeconfig.ts';
import { authority } from './support/certificates.ts';
import { execServer } from './support/exec-server.ts';

let server: Awaited<ReturnType<typeof execServer>>;
let config: KubeConfig;
let lastUrl: URL;

const success = JSON.stringify({ status: 'Success' });
const exitedWith = (code: number) =>
  JSON.stringify({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  });

beforeAll(async () => {
  const ca = await authority('test');
  server = await execServer(await ca.issue('server'), (url, send, socket, stdin) => {
    lastUrl = url;
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
        send(3, JSON.stringify({ status: 'Failure', reason: 'InternalError', message: 'executable not found' }));
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
  config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'c', server: server.url.origin, caData: Buffer.from(ca.cert).toString('base64'), skipTLSVerify: false },
    { name: 'u', token: 't' },
  );
});

afterAll(() => server.close());

function exec(command: readonly string[], more: Partial<ExecRequest> = {}) {
  const signal = new AbortController().signal;
  return execInPod(config, { namespace: 'ns', pod: 'p-0', command, signal, ...more });
}

describe('execInPod', () => {
  it('gives the output and the exit code', async () => {
    expect(await exec(['greet', 'you & me'], { container: 'main' })).toEqual({
      tag: 'exited',
      code: 0,
      stdout: 'hello wörld',
      stderr: 'warning',
    });
    expect(lastUrl.pathname).toBe('/api/v1/namespaces/ns/pods/p-0/exec');
    expect(lastUrl.searchParams.getAll('command')).toEqual(['greet', 'you & me']);
    expect(lastUrl.searchParams.get('container')).toBe('main');
    expect(await exec(['fail'])).toMatchObject({ tag: 'exited', code: 3 });
  });

  it('gives the command its input', async () => {
    expect(await exec(['echo'], { stdin: 'in' })).toMatchObject({ tag: 'exited', stdout: 'in' });
  });

  it('says when the command could not be run', async () => {
    expect(await exec(['missing'])).toEqual({ tag: 'failed', message: 'exec in ns/p-0: executable not found' });
  });

  it('says when the server refuses', async () => {
    expect(await exec(['greet'], { namespace: 'forbidden' })).toMatchObject({
      tag: 'failed',
      message: 'exec in forbidden/p-0: Unexpected server response: 403',
    });
  });

  it('says when nobody knows how it ended', async () => {
    expect(await exec(['vanish'])).toEqual({
      tag: 'failed',
      message: 'exec in ns/p-0: the connection was closed before the command ended',
    });
  });

  it('bounds the output', async () => {
    expect(await exec(['flood'], { maxOutputBytes: 1_000 })).toEqual({
      tag: 'failed',
      message: 'exec in ns/p-0: more than 1000 bytes of output',
    });
  });

  it('ends when the signal aborts', async () => {
    const stop = new AbortController();
    const running = exec(['sleep'], { signal: stop.signal });
    stop.abort(new Error('time is up'));
    expect(await running).toEqual({ tag: 'failed', message: 'exec in ns/p-0: time is up' });
  });

  it.each([
    [{ namespace: '../x' }, 'namespace is "../x"'],
    [{ pod: 'a/b' }, 'pod is "a/b"'],
    [{ container: 'a?b' }, 'container is "a?b"'],
    [{ command: [] }, 'command is empty'],
  ])('sends no request for %j', async (more, message) => {
    const outcome = await exec(['greet'], more);
    expect(outcome.tag === 'failed' && outcome.message).toContain(message);
  });
});
