import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createUnknownPod,
  NAMESPACE,
  POD,
  startRealWorld,
  startSimulatedWorld,
  type ExecWorld,
} from './support/exec-world.ts';

describe.each([
  ['the real API server', startRealWorld],
  ['the simulated API server', startSimulatedWorld],
])('kubectl exec through %s', (_, start) => {
  let world: ExecWorld;

  beforeAll(async () => {
    world = await start();
  });

  afterAll(() => world.close());

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

  test('brings output, input, exit code and refusals', async () => {
    await createUnknownPod(world, 'stranger');
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
});
