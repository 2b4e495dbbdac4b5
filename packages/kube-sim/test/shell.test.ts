import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { parse } from 'yaml';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, createBench, widget, WIDGETS } from './fixtures.ts';
import { type ExecScript, type Serving, serve } from '../src/index.ts';

/** Echoes the command, and its input; `exit N` ends with N, `crash` breaks, `wait` ends when the client hangs up. */
const script: ExecScript = async ({ command, container }, io, signal) => {
  if (command[0] === 'crash') throw new Error('no such runtime');
  if (command[0] === 'wait') await once(signal, 'abort');
  hungUp = signal.aborted;
  io.stdout(`${container}: ${command.join(' ')}\n`);
  io.stderr('ä\n');
  if (io.stdin !== undefined) for await (const chunk of io.stdin) io.stdout(chunk);
  return command[0] === 'exit' ? Number(command[1]) : 0;
};
let hungUp = false;

let bench: Bench;
let serving: Serving;

beforeAll(async () => {
  bench = createBench({ exec: script });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'main' }, { name: 'side' }] },
  };
  bench.sim.objects.put(pod);
  serving = await serve(bench.sim);
});
afterAll(() => serving.close());

const open = (method: string, path: string, headers: Record<string, string> = {}, ca = serving.caPem) =>
  request(serving.url + path, {
    method,
    ca,
    agent: false,
    headers: { authorization: `Bearer ${serving.token}`, ...headers },
  });

async function ask(method: string, path: string, body = '', headers: Record<string, string> = {}) {
  const outgoing = open(method, path, headers);
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return { status: incoming.statusCode, text };
}

describe('the socket', () => {
  it('answers over TLS with its own authority', async () => {
    expect((await ask('POST', WIDGETS, JSON.stringify(widget('a')))).status).toBe(201);
    expect(JSON.parse((await ask('GET', `${WIDGETS}/a`)).text)).toMatchObject({ kind: 'Widget' });
    const [error] = (await once(open('GET', '/', {}, '').end(), 'error')) as [Error & { code: string }];
    expect(error.code).toMatch(/SELF_SIGNED|UNABLE_TO/u);
  });

  it.each(['Bearer', 'bearer'])('takes the scheme %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${serving.token}` };
    expect((await ask('GET', WIDGETS, '', headers)).status).toBe(200);
  });

  it.each([[''], ['Bearer wrong'], ['Basic eDp5']])('refuses the authorization %j', async (authorization) => {
    const answer = await ask('GET', WIDGETS, '', { authorization });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([401, { kind: 'Status', reason: 'Unauthorized' }]);
  });

  it('writes a kubeconfig that has all a client needs', () => {
    expect(parse(serving.kubeconfig)).toMatchObject({
      clusters: [
        {
          cluster: { server: serving.url, 'certificate-authority-data': Buffer.from(serving.caPem).toString('base64') },
        },
      ],
      users: [{ user: { token: serving.token } }],
    });
  });

  it('streams a watch, and ends it when the client hangs up', async () => {
    const outgoing = open('GET', `${WIDGETS}?watch=true&resourceVersion=${String(1)}`).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const before = bench.sim.openWatches();
    await ask('POST', WIDGETS, JSON.stringify(widget('streamed')));
    let text = '';
    for await (const chunk of incoming) {
      text += String(chunk);
      if (text.includes('"streamed"')) break;
    }
    outgoing.destroy();
    while (bench.sim.openWatches() === before) await new Promise((resolve) => setImmediate(resolve));
    expect(bench.sim.openWatches()).toBe(before - 1);
  });

  it('breaks the connection where a fault says so, of an answer and of a watch', async () => {
    bench.sim.faults.add({ match: ({ verb }) => verb === 'list', when: 'after', trouble: { tag: 'cut' } });
    await expect(ask('GET', WIDGETS)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const [incoming] = (await once(open('GET', `${WIDGETS}?watch=true`).end(), 'response')) as [IncomingMessage];
    bench.sim.closeWatches('cut');
    await expect(once(incoming.resume(), 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: unknown;
}

function openExec(query: string, protocol = 'v5.channel.k8s.io', pod = 'p'): WebSocket {
  const url = `${serving.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/${pod}/exec?${query}`;
  return new WebSocket(url, protocol, { ca: serving.caPem, headers: { authorization: `Bearer ${serving.token}` } });
}

async function exec(query: string, protocol?: string, input?: string): Promise<ExecResult> {
  const socket = openExec(query, protocol);
  const output: Record<number, string> = { 1: '', 2: '', 3: '' };
  socket.on('message', (data: Buffer) => {
    const channel = data[0] ?? 0;
    output[channel] = (output[channel] ?? '') + data.subarray(1).toString();
  });
  socket.on('open', () => {
    if (input === undefined) return;
    socket.send(Buffer.from(`\0${input}`));
    socket.send(Buffer.of(255, 0));
  });
  await once(socket, 'close');
  return { stdout: output[1] ?? '', stderr: output[2] ?? '', status: JSON.parse(output[3] ?? '') };
}

describe('exec', () => {
  it.each([['v5.channel.k8s.io'], ['v4.channel.k8s.io']])('runs the script over %s', async (protocol) => {
    const result = await exec('command=say&command=hi+there&container=side&stdout=true', protocol);
    expect(result).toEqual({
      stdout: 'side: say hi there\n',
      stderr: 'ä\n',
      status: { metadata: {}, status: 'Success' },
    });
  });

  it('sends stdin until the client closes it', async () => {
    const result = await exec('command=cat&stdin=true', undefined, 'some input');
    expect(result.stdout).toBe('main: cat\nsome input');
  });

  it('tells the exit code', async () => {
    expect((await exec('command=exit&command=7')).status).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    });
  });

  it('tells that the script broke', async () => {
    expect((await exec('command=crash')).status).toMatchObject({
      status: 'Failure',
      reason: 'InternalError',
      message: 'Internal error occurred: no such runtime',
    });
  });

  it('tells the script that the client has hung up', async () => {
    const socket = openExec('command=wait');
    await once(socket, 'open');
    socket.terminate();
    while (!hungUp) await new Promise((resolve) => setImmediate(resolve));
    expect(hungUp).toBe(true);
  });

  it.each([
    ['command=x', 'missing', 404],
    ['command=x&container=other', 'p', 400],
    ['', 'p', 400],
  ])('refuses %j in pod %s', async (query, pod, status) => {
    const socket = openExec(query, 'v5.channel.k8s.io', pod);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe(`Unexpected server response: ${String(status)}`);
  });

  it('is observed, and struck by faults', async () => {
    const seen: (number | undefined)[] = [];
    const stop = bench.sim.observe(({ subresource, status, isWrite }) => {
      if (subresource === 'exec' && !isWrite) seen.push(status);
    });
    await exec('command=x');
    bench.sim.faults.add({
      match: ({ subresource }) => subresource === 'exec',
      when: 'before',
      trouble: { tag: 'fail', code: 500, reason: 'InternalError', message: 'kubelet is away' },
    });
    const [error] = (await once(openExec('command=x'), 'error')) as [Error];
    expect(error.message).toBe('Unexpected server response: 500');
    bench.sim.faults.add({
      match: ({ subresource }) => subresource === 'exec',
      when: 'before',
      trouble: { tag: 'cut' },
    });
    const [cut] = (await once(openExec('command=x'), 'error')) as [Error];
    expect(cut.message).toContain('socket hang up');
    stop();
    expect(seen).toEqual([101, 500, undefined]);
  });

  it('needs a WebSocket', async () => {
    expect((await ask('GET', '/api/v1/namespaces/default/pods/p/exec?command=x')).status).toBe(400);
  });
});
