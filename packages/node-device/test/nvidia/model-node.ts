import { VirtualClock } from '@cro/clock/testing';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import type { Exec, ExecOutcome, ExecRequest } from '@cro/kube-runtime/exec';
import { createNodeSim, DRIVER_POD, NODE_AGENT, podName, type HostSpec, type NodeSim } from '@cro/node-sim';
import { expect } from 'vitest';
import { NodeLooks, nvidiaActions, type DriverPlace, type NodeActions, type NodeCluster } from '../../src/index.ts';

/** What stands between the actions and the node: `run` runs the command there. */
export type Between = (run: () => Promise<ExecOutcome>, request: ExecRequest, index: number) => Promise<ExecOutcome>;

export type ModelNode = Awaited<ReturnType<typeof modelNode>>;

const [machine] = makeMachines(1);
const machUuid = machine?.machUuid ?? '';
const NODE = JSON.stringify({ metadata: { uid: 'uid' }, spec: { providerID: `fsas-cdi://${machUuid}` } });
const SLICE = JSON.stringify({ metadata: { resourceVersion: '1' }, spec: { pool: { generation: 1 } } });
const { signal } = new AbortController();

/** A modelled node, and NVIDIA's actions on it. The fabric's GPUs are in its machine, but for those of the indexes `free`. */
export async function modelNode(host: HostSpec, gpus: number, free: readonly number[] = []) {
  const clock = new VirtualClock();
  const devices = makeGpus(gpus, 'NVIDIA-A100-PCIE-80GB').map((gpu, index) =>
    free.includes(index) ? gpu : { ...gpu, machine: machUuid },
  );
  const machines = makeMachines(1);
  const fabric = createFabricSim({ clock, random: seededRandom(1), devices, machines, tenant: defaultTenant });
  const nodes = createNodeSim({
    clock,
    fabric,
    api: { send: ({ path }) => Promise.resolve({ status: 200, body: path.includes('slices') ? SLICE : NODE }) },
    nodes: [{ name: 'worker-0', machUuid, host }],
    pods: [NODE_AGENT, DRIVER_POD],
    report: ({ message }) => expect.unreachable(message),
  });
  await nodes.start();
  const commands: string[] = [];
  const warnings: string[] = [];
  const published: string[] = [];
  const cluster = clusterWith(host.driver === 'container' ? 'container' : 'host', published);
  const hands = nodes.host('worker-0');
  const actionsWith = (
    between: Between = (run) => run(),
    seenIn: 'slices' | 'looks' = 'slices',
    looks = new NodeLooks(),
  ): NodeActions => {
    let index = 0;
    const exec: Exec = (request) => {
      commands.push(request.argv.join(' '));
      index += 1;
      return between(() => runOn(nodes, request), request, index);
    };
    const log = { warn: (message: string) => warnings.push(message) };
    return nvidiaActions({ exec, cluster, clock, log, looks, seenIn });
  };
  const refTo = (index: number) => {
    return { node: 'worker-0', deviceId: devices[index]?.serial ?? '', resource: `gpu-${index}` };
  };
  return {
    ...{ nodes, clock, commands, warnings, published, refTo, actionsWith, host: hands },
    actions: actionsWith(),
    /** The fabric takes a device away, or gives it. */
    take: (index: number) => void fabric.move(devices[index]?.resUuid ?? '', undefined),
    give: (index: number) => void fabric.move(devices[index]?.resUuid ?? '', machUuid),
    drain: (index: number, force = false) => actionsWith().drain({ ...refTo(index), force }, signal),
    isIn: (index: number) => fabric.attachedTo(machUuid).some(({ serial }) => serial === devices[index]?.serial),
    reboot: () => {
      nodes.reboot('worker-0');
    },
    /** Runs a command on the node, which nobody has asked for. */
    run: (request: ExecRequest) => runOn(nodes, request),
    /** What is left on the bus, in short. */
    left: () => hands.gpus().flatMap(({ uuid, onBus }) => (onBus ? [uuid] : [])),
  };
}

function clusterWith(driver: DriverPlace['driver'], published: string[]): NodeCluster {
  const template = driver === 'container' ? DRIVER_POD : NODE_AGENT;
  const [container] = template.containers;
  const place = { driver, namespace: template.namespace, pod: podName(template, 'worker-0'), container };
  return {
    driverOf: () => ({ tag: 'place', place }),
    usersOf: () => Promise.resolve({ tag: 'idle' }),
    allocatedTo: () => ({ tag: 'idle' }),
    looked: (_device, outcome) => outcome,
    restartPublisher: ({ deviceId }, wanted) => {
      published.push(`${deviceId} ${wanted}`);
      return Promise.resolve({ tag: 'done' });
    },
  };
}

async function runOn(nodes: NodeSim, { argv, namespace, pod, container }: ExecRequest): Promise<ExecOutcome> {
  const answer = await nodes.exec({ namespace, pod, container, argv }, signal);
  if (answer.tag === 'lost') return { tag: 'lost', message: 'the node is gone' };
  if (answer.tag !== 'ended') return { tag: 'unreachable', message: answer.tag };
  const { stdout, stderr, exitCode } = answer.result;
  return { tag: 'exited', code: exitCode, stdout, stderr };
}
