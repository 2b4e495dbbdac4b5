import { execFile } from 'node:child_process';
import type { ExecRequest } from '@cro/kube-runtime/exec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODEL, startRealWorld, startSimulatedWorld, type ExecWorld } from './support/exec-world.ts';

const NAMESPACE = 'composable-resource-operator-system';
const POD = 'cro-node-agent-worker-0';
const CONTAINER = 'cro-node-agent';

describe.each([
  ['the real API server', startRealWorld],
  ['the simulated API server', startSimulatedWorld],
])('exec through %s', (_, start) => {
  let world: ExecWorld;

  beforeAll(async () => {
    world = await start();
  });

  afterAll(() => world.close());

  function exec(argv: readonly string[], more: Partial<ExecRequest> = {}) {
    return world.exec({ namespace: NAMESPACE, pod: POD, container: CONTAINER, argv, deadlineMs: 60_000, ...more });
  }

  function kubectl(args: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { PATH: process.env['PATH'], KUBECONFIG: world.kubeconfigPath, HOME: '/nonexistent' };
    return new Promise((resolve, reject) => {
      const child = execFile('kubectl', ['-n', NAMESPACE, ...args], { env }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }

  /** A pod that is bound to a node whose kubelet knows nothing of it. */
  async function createUnknownPod(name: string): Promise<void> {
    const spec = { nodeName: 'worker-0', containers: [{ name: CONTAINER, image: 'x' }] };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    const { status } = await world.api.send({ method: 'POST', path: `/api/v1/namespaces/${NAMESPACE}/pods`, body });
    expect(status).toBe(201);
  }

  test('a node lists the GPUs that the fabric has attached to it', async () => {
    const argv = ['/usr/bin/nvidia-smi', '-L'];
    expect(await exec(argv)).toMatchObject({ tag: 'exited', code: 0, stdout: 'No devices were found\n' });
    const [first, second] = world.devices;
    const [machine] = world.machines;
    for (const device of [first, second]) world.fabric.move(device?.resUuid ?? '', machine?.machUuid);
    const stdout = [first, second].map((gpu, n) => `GPU ${n}: ${MODEL} (UUID: ${gpu?.serial ?? ''})\n`).join('');
    expect(await exec(argv)).toEqual({ tag: 'exited', code: 0, stdout, stderr: '' });
    expect(await exec(argv, { pod: 'cro-node-agent-worker-1' })).toMatchObject({ stdout: 'No devices were found\n' });
  });

  test('exit codes come as they are, and what is complained of comes apart from the output', async () => {
    expect(await exec(['true'])).toEqual({ tag: 'exited', code: 0, stdout: '', stderr: '' });
    expect(await exec(['false'])).toEqual({ tag: 'exited', code: 1, stdout: '', stderr: '' });
    const stderr = 'cat: no such: No such file or directory\n';
    expect(await exec(['cat', 'no such'])).toEqual({ tag: 'exited', code: 1, stdout: '', stderr });
    expect(await exec(['nvidia-smy'])).toEqual({
      tag: 'exited',
      code: 127,
      stdout: '',
      stderr: 'exec: "nvidia-smy": executable file not found in $PATH\n',
    });
  });

  test('words arrive as they were sent: no shell is involved', async () => {
    const stdout = '$HOME `id` a  b & " \' \\ ü 世界 +%41\n';
    expect(await exec(['echo', '$HOME', '`id`', 'a  b', '&', '"', "'", '\\', 'ü', '世界', '+%41'])).toMatchObject({
      stdout,
    });
  });

  test('a command reads its input to the end', async () => {
    expect(await exec(['cat'], { stdin: 'line\n' })).toMatchObject({ tag: 'exited', code: 0, stdout: 'line\n' });
    expect(await exec(['cat'], { stdin: '' })).toMatchObject({ tag: 'exited', code: 0, stdout: '' });
  });

  test('large output arrives whole, and is cut off where it is too much', async () => {
    const stdin = 'a line of thirty-two characters\n'.repeat(16_384);
    expect(await exec(['cat'], { stdin })).toEqual({ tag: 'exited', code: 0, stdout: stdin, stderr: '' });
    const maxOutputBytes = 100_000;
    expect(await exec(['cat'], { stdin, maxOutputBytes })).toEqual({ tag: 'tooMuchOutput', maxOutputBytes });
  });

  test('a pod that nobody knows, and one that its kubelet does not know', async () => {
    const message = 'pods "nobody" not found';
    expect(await exec(['true'], { pod: 'nobody' })).toEqual({ tag: 'notFound', message });
    await createUnknownPod('stranger');
    const unknown = 'Internal error occurred: unable to upgrade connection: pod does not exist';
    expect(await exec(['true'], { pod: 'stranger' })).toEqual({ tag: 'notFound', message: unknown });
  });

  test('a container that the pod does not have', async () => {
    const message = `container other is not valid for pod ${POD}`;
    expect(await exec(['true'], { container: 'other' })).toEqual({ tag: 'refused', status: 400, message });
  });

  test('a command that hangs is given up, and learns of it', async () => {
    const stop = new AbortController();
    const begun = world.nextCommand();
    const hungUp = world.nextHangUp();
    const running = exec(['sleep', 'infinity'], { signal: stop.signal });
    await begun;
    stop.abort();
    expect(await running).toEqual({ tag: 'aborted' });
    await hungUp;
  });

  test('kubectl exec', async () => {
    const run = (...argv: readonly string[]) => ['exec', POD, '--', ...argv];
    expect(await kubectl(run('echo', 'hello'))).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    expect(await kubectl(['exec', '-i', POD, '--', 'cat'], 'piped')).toMatchObject({ code: 0, stdout: 'piped' });
    expect(await kubectl(run('false'))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'command terminated with exit code 1\n',
    });
    expect(await kubectl(['exec', 'nobody', '--', 'true'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): pods "nobody" not found\n',
    });
    expect(await kubectl(['exec', 'stranger', '--', 'true'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unable to upgrade connection: pod does not exist') as string,
    });
  });

  test('a kubelet that is gone, while a command runs and before', async () => {
    const pod = 'cro-node-agent-worker-1';
    const begun = world.nextCommand();
    const running = exec(['sleep', 'infinity'], { pod });
    await begun;
    await world.endKubelet('worker-1');
    // In which words depends on who notices first.
    expect(await running).toMatchObject({ tag: 'lost' });
    const refusal = /^Internal error occurred: error sending request: .*connection refused$/;
    const message = expect.stringMatching(refusal) as string;
    expect(await exec(['true'], { pod })).toEqual({ tag: 'unreachable', message });
    expect(await exec(['true'])).toMatchObject({ tag: 'exited', code: 0 });
  });

  test('what breaks in the container runtime is told', async () => {
    world.breakRuntime('no such device');
    const message =
      'Internal error occurred: Internal error occurred: error executing command in container: no such device';
    expect(await exec(['true'])).toEqual({ tag: 'failed', message });
  });
});
