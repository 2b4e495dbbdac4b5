import type { ExecRequest } from '@cro/kube-runtime/exec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CONTAINER,
  createUnknownPod,
  MODEL,
  NAMESPACE,
  POD,
  startProxiedWorld,
  startRealWorld,
  startSimulatedWorld,
  type ExecWorld,
} from './support/exec-world.ts';

describe.each([
  ['the real API server', startRealWorld],
  ['a proxy in front of it', startProxiedWorld],
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

  test('a node lists the GPUs that the fabric has attached to it', async () => {
    const argv = ['/bin/chroot', '/host-root', '/usr/bin/nvidia-smi', '-L'];
    expect(await exec(argv)).toMatchObject({ tag: 'exited', code: 6, stdout: 'No devices were found\n' });
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
    await createUnknownPod(world, 'stranger');
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
