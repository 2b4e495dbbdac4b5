import { execScript, NODE_AGENT, DRIVER_POD, podName, type HostSpec, type NodeSimOptions } from '@cro/node-sim';
import { at, makeWorld } from './world.ts';

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One node with the given host, `gpus` of the fabric's GPUs in it, and ways to run commands there. */
export async function makeHost(host: HostSpec = {}, gpus = 2, options: Partial<NodeSimOptions> = {}) {
  const world = makeWorld({ nodes: [], pods: [NODE_AGENT, DRIVER_POD], ...options }, { devices: 4, machines: 1 });
  const { machUuid } = at(world.machines, 0);
  await world.nodes.addNode({ name: 'worker-0', machUuid, host });
  for (const { resUuid } of world.devices.slice(0, gpus)) world.fabric.move(resUuid, machUuid);
  const script = execScript(world.nodes);
  const runIn =
    (pod: typeof NODE_AGENT) =>
    async (argv: readonly string[]): Promise<Ended> => {
      const ended = { stdout: '', stderr: '' };
      const streams = {
        stdin: undefined,
        stdout: (text: string) => void (ended.stdout += text),
        stderr: (text: string) => void (ended.stderr += text),
      };
      const [container] = pod.containers;
      const request = { namespace: pod.namespace, pod: podName(pod, 'worker-0'), container, command: argv };
      return { code: await script(request, streams, new AbortController().signal), ...ended };
    };
  const inAgent = runIn(NODE_AGENT);
  const inDriver = runIn(DRIVER_POD);
  const onHost = (...argv: readonly string[]) => inAgent(['/bin/chroot', '/host-root', ...argv]);
  return {
    ...world,
    machUuid,
    /** The node agent's container. */
    inAgent,
    /** The driver's container. */
    inDriver,
    /** The host, from the node agent. */
    onHost,
    smi: (...args: readonly string[]) => onHost('/usr/bin/nvidia-smi', ...args),
    /** A script on the host. */
    sh: (script: string, ...args: readonly string[]) => onHost('/bin/sh', '-c', script, 'script', ...args),
    host: world.nodes.host('worker-0'),
    uuid: (index: number) => at(world.devices, index).serial,
    /** Takes a device away from the machine, as a fabric manager does. */
    take: (index: number) => {
      world.fabric.move(at(world.devices, index).resUuid, undefined);
    },
  };
}
