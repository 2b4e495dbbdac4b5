import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '@cro/clock';
import { nodeApi } from '@cro/demo';
import { createFabricSim, makeGpus, makeMachines, type DeviceSpec, type FabricSim } from '@cro/fabric-sim';
import { createExec, type Exec } from '@cro/kube-runtime/exec';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import { createKubeSim, serve } from '@cro/kube-sim';
import {
  createNodeSim,
  execScript,
  gpuNode,
  NODE_AGENT,
  podName,
  type Api,
  type NodeModel,
  type NodeSim,
} from '@cro/node-sim';
import { startApiProxy } from './api-proxy.ts';
import { Gate } from './gate.ts';
import { startKubelets } from './kubelets.ts';
import { startPlane, type Plane } from './plane.ts';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const { namespace: NAMESPACE } = NODE_AGENT;
export const POD = podName(NODE_AGENT, 'worker-0');
export const [CONTAINER] = NODE_AGENT.containers;
const NODES = ['worker-0', 'worker-1'] as const;
const TENANT = '00000000-3000-4000-8000-000000000000';

/** An API server with nodes that answer exec. */
export interface ExecWorld {
  readonly exec: Exec;
  readonly kubeconfigPath: string;
  readonly api: Api;
  readonly fabric: FabricSim;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly { readonly machUuid: string }[];
  /** Ends a node's kubelet. */
  endKubelet(node: string): Promise<void>;
  /** Lets the next command break with that message. */
  breakRuntime(message: string): void;
  /** Resolves when a command was told that its client has hung up. */
  nextHangUp(): Promise<unknown>;
  /** Resolves when a command begins. */
  nextCommand(): Promise<unknown>;
  /** How many have begun. */
  commands(): number;
  close(): Promise<void>;
}

/** A pod that is bound to a node whose kubelet knows nothing of it. */
export async function createUnknownPod({ api }: ExecWorld, name: string): Promise<void> {
  const spec = { nodeName: 'worker-0', containers: [{ name: CONTAINER, image: 'x' }] };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  const { status } = await api.send({ method: 'POST', path: `/api/v1/namespaces/${NAMESPACE}/pods`, body });
  if (status !== 201) throw new Error(`the Pod ${name} was answered ${status}`);
}

/** The real control plane with a fake kubelet. */
export function startRealWorld(): Promise<ExecWorld> {
  return startBehind((plane) => Promise.resolve({ kubeconfigPath: plane.control.kubeconfigPath, end: NOTHING }));
}

/** The same with a proxy in front of the API server, as operators have it whose requests are held at a gate. */
export function startProxiedWorld(gate = new Gate()): Promise<ExecWorld> {
  return startBehind(async ({ directory, transport }) => {
    const proxy = await startApiProxy({ gate, transport, now: clock.now() });
    const kubeconfigPath = join(directory, 'proxy.kubeconfig');
    await writeFile(kubeconfigPath, proxy.kubeconfig, { mode: 0o600 });
    return { kubeconfigPath, end: () => proxy.close() };
  });
}

const NOTHING = () => Promise.resolve();

/** How clients reach an API server. */
interface Way {
  readonly kubeconfigPath: string;
  readonly end: () => Promise<void>;
}

async function startBehind(wayTo: (plane: Plane) => Promise<Way>): Promise<ExecWorld> {
  const plane = await startPlane();
  const scene = makeScene();
  const kubelets = await startKubelets(plane, NODES);
  const end = new AbortController();
  const api = nodeApi(plane.transport, { clock, signal: end.signal });
  const nodes = await startNodes(scene, api, (name) => kubelets.portOf(name));
  kubelets.serve(nodes);
  const way = await wayTo(plane);
  return {
    ...worldOf(way.kubeconfigPath, scene, api),
    endKubelet: (node) => kubelets.end(node),
    async close() {
      nodes.stop();
      end.abort(new Error('the world is closed'));
      await kubelets.stop();
      await way.end();
      await plane.close();
    },
  };
}

/** The simulated API server, on a socket. */
export async function startSimulatedWorld(): Promise<ExecWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'cro-exec-'));
  const scene = makeScene();
  const late: { nodes?: NodeSim } = {};
  const sim = createKubeSim({
    clock,
    random: Math.random,
    exec: (request, io, signal) => execScript(running(late.nodes))(request, io, signal),
  });
  const serving = await serve(sim);
  const kubeconfigPath = join(directory, 'kubeconfig');
  await writeFile(kubeconfigPath, serving.kubeconfig, { mode: 0o600 });
  const transport = transportOf(kubeconfigPath);
  const end = new AbortController();
  const api = nodeApi(transport, { clock, signal: end.signal });
  const started = await startNodes(scene, api, () => undefined);
  late.nodes = started;
  return {
    ...worldOf(kubeconfigPath, scene, api),
    endKubelet(node) {
      started.setKubeletUp(node, false);
      return Promise.resolve();
    },
    async close() {
      started.stop();
      end.abort(new Error('the world is closed'));
      transport.close();
      await serving.close();
      await rm(directory, { recursive: true });
    },
  };
}

function makeScene() {
  const machines = makeMachines(NODES.length);
  const devices = makeGpus(4, MODEL);
  const fabric = createFabricSim({ clock, random: Math.random, devices, machines, tenant: TENANT });
  return { machines, devices, fabric, events: new EventEmitter(), faults: new Array<string>(), begun: { count: 0 } };
}

type Scene = ReturnType<typeof makeScene>;

async function startNodes(scene: Scene, api: Api, portOf: (node: string) => number | undefined) {
  const problems: string[] = [];
  const nodes = createNodeSim({
    clock,
    fabric: scene.fabric,
    api,
    nodes: NODES.map((name, index) => {
      const kubeletPort = portOf(name);
      const machUuid = scene.machines[index]?.machUuid ?? '';
      return { name, machUuid, ...(kubeletPort !== undefined && { kubeletPort }) };
    }),
    pods: [NODE_AGENT],
    model: (host) => observed(gpuNode(host, clock), scene),
    report: ({ doing, message }) => problems.push(`${doing}: ${message}`),
  });
  await nodes.start();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return nodes;
}

/** Tells of commands, and of clients that hang up; breaks where it is told to. */
function observed(model: NodeModel, { events, faults, begun }: Scene): NodeModel {
  return {
    exec(command, signal) {
      begun.count += 1;
      signal.addEventListener('abort', () => events.emit('hangUp'));
      events.emit('command');
      const broken = faults.shift();
      if (broken !== undefined) return Promise.reject(new Error(broken));
      return model.exec(command, signal);
    },
  };
}

function worldOf(kubeconfigPath: string, { fabric, devices, machines, events, faults, begun }: Scene, api: Api) {
  const transport = transportOf(kubeconfigPath);
  return {
    exec: createExec({ transport, clock }),
    kubeconfigPath,
    api,
    fabric,
    devices,
    machines,
    breakRuntime: (message: string) => void faults.push(message),
    nextHangUp: () => once(events, 'hangUp'),
    nextCommand: () => once(events, 'command'),
    commands: () => begun.count,
  };
}

function transportOf(kubeconfig: string) {
  const loaded = loadCluster({ clock, kubeconfig });
  if (loaded.tag === 'invalid') throw new Error(loaded.message);
  return loaded.cluster.transport;
}

function running(nodes: NodeSim | undefined): NodeSim {
  if (nodes === undefined) throw new Error('the nodes have not started yet');
  return nodes;
}
