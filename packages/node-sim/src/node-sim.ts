import type { Clock } from '@cro/clock';
import type { Device, FabricSim } from '@cro/fabric-sim';
import type { Api } from './api.ts';
import { Driver, type Delays } from './driver.ts';
import { NodeMemory } from './memory.ts';
import { gpuNode } from './model/gpu-node.ts';
import type { CommandResult, NodeModel, PodCommand } from './model/node-model.ts';
import { createNode, deleteNode, setNodeReady } from './node-client.ts';
import type { NodeSpec } from './node-object.ts';
import { inParallel } from './parallel.ts';
import { removePod, startPod } from './pods/pod-client.ts';
import { podName, type PodTemplate } from './pods/pod-template.ts';
import { Publisher } from './publisher.ts';
import type { Problem, RetryHost } from './retry.ts';

/** What a node simulator is made of. */
export interface NodeSimOptions {
  readonly clock: Clock;
  /** Where devices come from. */
  readonly fabric: Pick<FabricSim, 'subscribe' | 'attachedTo'>;
  readonly api: Api;
  readonly nodes: readonly NodeSpec[];
  /** Pods that each node has. None unless given. */
  readonly pods?: readonly PodTemplate[];
  /** What answers commands on a node that has these devices. `gpuNode` unless given. */
  readonly model?: (devices: () => readonly Device[]) => NodeModel;
  /** From a device's attach to its being in the slice. 0 unless given; `Infinity` is never. */
  readonly publishDelayMs?: number;
  /** From a device's detach to its being out of the slice. `publishDelayMs` unless given. */
  readonly withdrawDelayMs?: number;
  /** What part of the memory that the fabric attaches shows as capacity: kernels keep some for their own account. 1 unless given. */
  readonly memoryShare?: number;
  /** Is told of every write that failed; it is tried again unless it says `final`. */
  readonly report: (problem: Problem) => void;
}

/**
 * What came of a command. `noPod`: no node runs that pod. `noKubelet`: the kubelet of its node is down. `lost`: it went down
 * meanwhile.
 */
export type ExecAnswer =
  | { readonly tag: 'ended'; readonly result: CommandResult }
  | { readonly tag: 'noPod' }
  | { readonly tag: 'noKubelet' }
  | { readonly tag: 'lost' };

/** Simulated nodes. */
export interface NodeSim {
  /** Creates the nodes and publishes what they have. Rejects when the API server refuses a node. */
  start(): Promise<void>;
  /** Adds a node (again). */
  addNode(spec: NodeSpec): Promise<void>;
  /** Deletes a node, and its slice as the garbage collector would. Its devices stay on the machine. */
  deleteNode(name: string): Promise<void>;
  /** Makes a node ready, or silent. */
  setReady(name: string, ready: boolean): Promise<void>;
  /** Ends a node's driver, which takes its slice away, or starts it again. */
  setDriverUp(name: string, up: boolean): void;
  /** Sets the delays of one device, by its `resUuid`; what is left out is as for its node. */
  setDelays(resUuid: string, delays: Partial<Delays>): void;
  /** Sets the delays of a node's driver, for devices that come or go from now on; what is left out is as for all. */
  setNodeDelays(name: string, delays: Partial<Delays>): void;
  /** Runs a command in a container of a node's pod. */
  exec(command: PodCommand, signal: AbortSignal): Promise<ExecAnswer>;
  /** Ends a node's kubelet, so that no command reaches it, or starts it again. Its Node and its slice stay as they are. */
  setKubeletUp(name: string, up: boolean): void;
  /** The node that runs a pod. */
  nodeOf(namespace: string, pod: string): string | undefined;
  /** Resolves when everything that is due has been written (or was refused). */
  settled(): Promise<void>;
  /** Ends all of it; objects stay in the API server. */
  stop(): void;
}

interface Running {
  readonly spec: NodeSpec;
  readonly publisher: Publisher;
  readonly driver: Driver;
  readonly memory: NodeMemory;
  readonly model: NodeModel;
  delays: Partial<Delays>;
  /** Aborts when the kubelet goes down. */
  kubelet: AbortController;
}

/** How many nodes are created at one time. */
const CREATED_AT_ONCE = 8;

/** Makes simulated nodes, whose GPUs are those that the fabric attaches to their machines. */
export function createNodeSim(options: NodeSimOptions): NodeSim {
  return new Nodes(options);
}

class Nodes implements NodeSim {
  readonly #options: NodeSimOptions;
  readonly #host: RetryHost;
  readonly #end = new AbortController();
  readonly #byName = new Map<string, Running>();
  readonly #byMachine = new Map<string, Running>();
  readonly #departing = new Set<Publisher>();
  /** Nodes by namespace and name of their pods. */
  readonly #byPod = new Map<string, Running>();
  readonly #delays = new Map<string, Partial<Delays>>();
  readonly #unsubscribe: () => void;

  constructor(options: NodeSimOptions) {
    this.#options = options;
    this.#host = { clock: options.clock, report: options.report, signal: this.#end.signal };
    this.#unsubscribe = options.fabric.subscribe(({ tag, machine, device }) => {
      const node = this.#byMachine.get(machine);
      node?.driver[tag](device);
      node?.memory[tag](device);
    });
  }

  async start(): Promise<void> {
    await inParallel(CREATED_AT_ONCE, this.#options.nodes, (spec) => this.addNode(spec));
    await this.settled();
  }

  async addNode(spec: NodeSpec): Promise<void> {
    const { api, clock, fabric, model = gpuNode, pods = [], memoryShare: share = 1 } = this.#options;
    if (this.#byName.has(spec.name)) throw new Error(`node ${spec.name} is there already`);
    const owner = await createNode(api, this.#host, spec);
    const publisher = new Publisher(api, this.#host, owner);
    const delaysOf = (resUuid: string): Delays => this.#delaysOf(running, resUuid);
    const driver = new Driver(clock, publisher, delaysOf);
    const memory = new NodeMemory({ clock, api, host: this.#host, delaysOf, share }, spec);
    const devices = () => fabric.attachedTo(spec.machUuid);
    const running: Running = {
      spec,
      publisher,
      driver,
      memory,
      model: model(devices),
      delays: {},
      kubelet: new AbortController(),
    };
    this.#byName.set(spec.name, running);
    this.#byMachine.set(spec.machUuid, running);
    driver.start(devices());
    memory.start(devices());
    for (const template of pods) {
      await startPod(api, this.#host, template, spec.name);
      this.#byPod.set(podKey(template.namespace, podName(template, spec.name)), running);
    }
  }

  async deleteNode(name: string): Promise<void> {
    const { spec, publisher, driver, memory } = this.#node(name);
    const { api, pods = [] } = this.#options;
    this.#byName.delete(name);
    this.#byMachine.delete(spec.machUuid);
    memory.stop();
    for (const template of pods) this.#byPod.delete(podKey(template.namespace, podName(template, name)));
    await deleteNode(api, this.#host, name);
    for (const template of pods) await removePod(api, this.#host, template, name);
    driver.stop();
    driver.setUp(false);
    this.#departing.add(publisher);
    await publisher.settled();
    this.#departing.delete(publisher);
  }

  async setReady(name: string, ready: boolean): Promise<void> {
    this.#node(name);
    await setNodeReady(this.#options.api, this.#host, name, ready);
  }

  setDriverUp(name: string, up: boolean): void {
    this.#node(name).driver.setUp(up);
  }

  setDelays(resUuid: string, delays: Partial<Delays>): void {
    this.#delays.set(resUuid, delays);
  }

  setNodeDelays(name: string, delays: Partial<Delays>): void {
    this.#node(name).delays = delays;
  }

  async exec(command: PodCommand, signal: AbortSignal): Promise<ExecAnswer> {
    const node = this.#byPod.get(podKey(command.namespace, command.pod));
    if (node === undefined) return { tag: 'noPod' };
    const { model, kubelet } = node;
    const isDown = () => kubelet.signal.aborted;
    if (isDown()) return { tag: 'noKubelet' };
    const result = await model.exec(command, AbortSignal.any([signal, kubelet.signal]));
    return isDown() ? { tag: 'lost' } : { tag: 'ended', result };
  }

  setKubeletUp(name: string, up: boolean): void {
    const node = this.#node(name);
    if (up && node.kubelet.signal.aborted) node.kubelet = new AbortController();
    if (!up) node.kubelet.abort();
  }

  nodeOf(namespace: string, pod: string): string | undefined {
    return this.#byPod.get(podKey(namespace, pod))?.spec.name;
  }

  async settled(): Promise<void> {
    const publishers = [...[...this.#byName.values()].map((node) => node.publisher), ...this.#departing];
    const memories = [...this.#byName.values()].map((node) => node.memory);
    await Promise.all([...publishers, ...memories].map((one) => one.settled()));
  }

  stop(): void {
    this.#unsubscribe();
    for (const { driver, memory } of this.#byName.values()) {
      driver.stop();
      memory.stop();
    }
    this.#end.abort(new Error('the node simulator was stopped'));
  }

  #delaysOf(node: Running, resUuid: string): Delays {
    const { publishDelayMs = 0, withdrawDelayMs = publishDelayMs } = this.#options;
    const ofAll = { publishMs: publishDelayMs, withdrawMs: withdrawDelayMs };
    return { ...ofAll, ...node.delays, ...this.#delays.get(resUuid) };
  }

  #node(name: string): Running {
    const node = this.#byName.get(name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }
}

/** A slash is in no name. */
function podKey(namespace: string, pod: string): string {
  return `${namespace}/${pod}`;
}
