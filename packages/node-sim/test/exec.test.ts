import { describe, expect, it } from 'vitest';
import { execScript, kubeletScript, NODE_AGENT, podName, type ExecScript } from '@cro/node-sim';
import { at, makeWorld, MODEL } from './world.ts';

const NAMESPACE = NODE_AGENT.namespace;
const POD = podName(NODE_AGENT, 'worker-0');
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** Runs a command through a script, as an API server does. */
async function run(
  script: ExecScript,
  argv: readonly string[],
  options: { stdin?: string; signal?: AbortSignal } = {},
) {
  const { stdin, signal = new AbortController().signal } = options;
  let stdout = '';
  let stderr = '';
  const streams = {
    stdin: stdin === undefined ? undefined : ReadableStream.from([stdin.slice(0, 2), stdin.slice(2)]),
    stdout: (text: string) => void (stdout += text),
    stderr: (text: string) => void (stderr += text),
  };
  const request = { namespace: NAMESPACE, pod: POD, container: 'cro-node-agent', command: argv };
  return { code: await script(request, streams, signal), stdout, stderr };
}

async function startWorld() {
  const world = makeWorld({ pods: [NODE_AGENT] });
  await world.nodes.start();
  return { ...world, script: execScript(world.nodes) };
}

describe('pods of a node', () => {
  it('run and are ready, and go with their node', async () => {
    const { api, nodes } = await startWorld();
    interface Pod {
      metadata: { labels: object };
      spec: { nodeName: string };
      status: { phase: string; conditions: { type: string; status: string }[] };
    }
    const pod = api.read<Pod>(`${PODS}/${POD}`);
    expect(pod).toMatchObject({ metadata: { labels: { app: 'cro-node-agent' } }, spec: { nodeName: 'worker-0' } });
    expect(pod.status.phase).toBe('Running');
    expect(pod.status.conditions.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
    expect(nodes.nodeOf(NAMESPACE, POD)).toBe('worker-0');
    await nodes.deleteNode('worker-0');
    expect([...api.objects.keys()].filter((path) => path.startsWith(PODS))).toEqual([
      `${PODS}/${podName(NODE_AGENT, 'worker-1')}`,
    ]);
    expect(nodes.nodeOf(NAMESPACE, POD)).toBeUndefined();
  });

  it('that are there already are taken over', async () => {
    const world = makeWorld({ pods: [NODE_AGENT] });
    const answer = world.api.apply({ method: 'POST', path: PODS, body: JSON.stringify({ metadata: { name: POD } }) });
    expect(answer.status).toBe(201);
    await world.nodes.start();
    expect(world.api.read<object>(`${PODS}/${POD}`)).toMatchObject({ status: { phase: 'Running' } });
    expect(world.problems).toEqual([]);
  });
});

describe('a command on a node', () => {
  it('sees the GPUs that are attached at that moment', async () => {
    const { script, fabric, devices, machines } = await startWorld();
    const smi = ['/bin/chroot', '/host-root', '/usr/bin/nvidia-smi'];
    expect(await run(script, [...smi, '-L'])).toMatchObject({ code: 6, stdout: 'No devices were found\n' });
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    const { serial } = at(devices, 0);
    expect((await run(script, [...smi, '-L'])).stdout).toBe(`GPU 0: ${MODEL} (UUID: ${serial})\n`);
    const query = [...smi, '--query-gpu=gpu_uuid', '--format=csv,noheader,nounits'];
    expect((await run(script, query)).stdout).toBe(`${serial}\n`);
  });

  it('that no container has ends as a shell would end it', async () => {
    const stderr = 'exec: "nope": executable file not found in $PATH\n';
    expect(await run((await startWorld()).script, ['nope'])).toEqual({ code: 127, stdout: '', stderr });
  });

  it('reads all of its input', async () => {
    expect(await run((await startWorld()).script, ['cat'], { stdin: 'abc\n' })).toMatchObject({ stdout: 'abc\n' });
  });

  it('that hangs ends when its client hangs up', async () => {
    const { script } = await startWorld();
    const hangUp = new AbortController();
    const running = run(script, ['sleep', 'infinity'], { signal: hangUp.signal });
    hangUp.abort();
    expect(await running).toMatchObject({ code: 143 });
    expect(await run(script, ['sleep', 'infinity'], { signal: AbortSignal.abort() })).toMatchObject({ code: 143 });
  });

  it('does not reach a kubelet that is down, nor outlive one that goes down', async () => {
    const { script, nodes } = await startWorld();
    const running = run(script, ['sleep', 'infinity']);
    nodes.setKubeletUp('worker-0', false);
    await expect(running).rejects.toThrow(/^Timeout occurred$/);
    await expect(run(script, ['true'])).rejects.toThrow(/^error sending request: .*connection refused$/);
    nodes.setKubeletUp('worker-0', true);
    expect(await run(script, ['true'])).toMatchObject({ code: 0 });
  });

  it('in a pod that no node runs', async () => {
    const { nodes } = await startWorld();
    await nodes.deleteNode('worker-0');
    await expect(run(execScript(nodes), ['true'])).rejects.toThrow('pod does not exist');
  });

  it('that the model breaks is told in the words of a kubelet, where there is none', async () => {
    const model = () => ({ exec: () => Promise.reject(new Error('no runtime')) });
    const { nodes } = makeWorld({ pods: [NODE_AGENT], model });
    await nodes.start();
    await expect(run(kubeletScript(nodes), ['true'])).rejects.toThrow(/^no runtime$/);
    const words = 'Internal error occurred: error executing command in container: no runtime';
    await expect(run(execScript(nodes), ['true'])).rejects.toThrow(words);
  });
});
