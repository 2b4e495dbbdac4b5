import { DaemonSets } from './daemons/daemon-sets.ts';
import { Driver, type Delays } from './driver.ts';
import { NodeMemory } from './memory.ts';
import { gpuNode } from './model/gpu-node.ts';
import type { NodeFault } from './model/host/node-fault.ts';
import type { Host } from './model/host/host.ts';
import { Hosts } from './model/host/hosts.ts';
import { handsOn, type NodeHost } from './model/host/node-host.ts';
import type { NodeModel, PodCommand } from './model/node-model.ts';
import { createNode, deleteNode, setNodeReady } from './node-client.ts';
import type { NodeSpec } from './node-object.ts';
import type { ExecAnswer, NodeSim, NodeSimOptions } from './node-sim-options.ts';
import { inParallel } from './parallel.ts';
import { removePod, startPod } from './pods/pod-client.ts';
import { podName, type PodTemplate } from './pods/pod-template.ts';
import { Publisher } from './publisher.ts';
import type { RetryHost } from './retry.ts';
import { untainted } from './untainted.ts';

interface PodOfNode {
  readonly node: Running;
  readonly template: PodTemplate;
}

interface Running {
  readonly spec: NodeSpec;
  readonly publisher: Publisher;
  readonly driver: Driver;
  readonly memory: NodeMemory;
  readonly host: Host;
  readonly model: NodeModel;
  delays: Partial<Delays>;
  /** Aborts when the kubelet goes down. */
  kubelet: AbortController;
}

const NEVER: Delays = { publishMs: Infinity, withdrawMs: Infinity };

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
  readonly #hosts: Hosts;
  readonly #daemons: DaemonSets;
  /** Pods by namespace and name. */
  readonly #byPod = new Map<string, PodOfNode>();
  readonly #delays = new Map<string, Partial<Delays>>();
  readonly #unsubscribe: () => void;

  constructor(options: NodeSimOptions) {
    this.#options = options;
    this.#host = { clock: options.clock, report: options.report, signal: this.#end.signal };
    this.#hosts = new Hosts(options.clock, {
      removed: (machine, device) => {
        this.#byMachine.get(machine)?.driver.detached(device);
      },
      recut: (machine, id) => {
        this.#byMachine.get(machine)?.driver.recut(id);
      },
      freeEntries: (machine, { resUuid }) => {
        const node = this.#byMachine.get(machine);
        const entries = node?.publisher.entriesOf(resUuid) ?? [];
        if (node === undefined || options.rules === undefined || entries.length === 0) return [];
        return untainted(node.spec.name, entries, options.rules());
      },
    });
    const { api, daemonSets: specs = [], restartMs = 0, meanwhile = 'stale' } = options;
    const nodeOf = (name: string) => this.#byName.get(name);
    this.#daemons = new DaemonSets({ api, host: this.#host, specs, restartMs, meanwhile, nodeOf });
    this.#unsubscribe = options.fabric.subscribe(({ tag, machine, device }) => {
      // The hardware first: what the driver shows is what it has by then.
      this.#hosts[tag](machine, device);
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
    const devices = fabric.attachedTo(spec.machUuid);
    const host = this.#hosts.add(spec, devices);
    const ofSlice = this.#options.publisher === 'afterRestart' ? () => NEVER : delaysOf;
    const driver = new Driver(clock, publisher, {
      delaysOf: ofSlice,
      look: () => {
        host.look();
      },
      migOf: (resUuid) => host.migOf(resUuid),
    });
    const memory = new NodeMemory({ clock, api, host: this.#host, delaysOf, share }, spec);
    const kubelet = new AbortController();
    const parts = { publisher, driver, memory, host, model: model(host, clock) };
    const running: Running = { spec, ...parts, delays: {}, kubelet };
    this.#byName.set(spec.name, running);
    this.#byMachine.set(spec.machUuid, running);
    driver.start(host.found);
    memory.start(devices);
    for (const template of pods) {
      await startPod(api, this.#host, template, spec.name);
      this.#byPod.set(podKey(template.namespace, podName(template, spec.name)), { node: running, template });
    }
    await this.#daemons.addNode(spec.name);
  }

  async deleteNode(name: string): Promise<void> {
    const { spec, publisher, driver, memory } = this.#node(name);
    const { api, pods = [] } = this.#options;
    this.#byName.delete(name);
    this.#byMachine.delete(spec.machUuid);
    memory.stop();
    for (const template of pods) this.#byPod.delete(podKey(template.namespace, podName(template, name)));
    await deleteNode(api, this.#host, name);
    for (const template of pods) await removePod(api, this.#host, template, podName(template, name));
    await this.#daemons.removeNode(name);
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
    const pod = this.#podOf(command.namespace, command.pod);
    if (pod === undefined) return { tag: 'noPod' };
    const { model, kubelet } = pod.node;
    const { view = 'nothing' } = pod.template;
    const isDown = () => kubelet.signal.aborted;
    if (isDown()) return { tag: 'noKubelet' };
    const result = await model.exec({ ...command, view }, AbortSignal.any([signal, kubelet.signal]));
    return isDown() ? { tag: 'lost' } : { tag: 'ended', result };
  }

  setKubeletUp(name: string, up: boolean): void {
    const node = this.#node(name);
    if (up && node.kubelet.signal.aborted) node.kubelet = new AbortController();
    if (!up) node.kubelet.abort();
  }

  reboot(name: string): void {
    const node = this.#node(name);
    this.setKubeletUp(name, false);
    node.host.reboot();
    node.driver.restarted(node.host.found);
    this.setKubeletUp(name, true);
  }

  host(name: string): NodeHost {
    return handsOn(this.#node(name).host);
  }

  faults(): readonly NodeFault[] {
    return this.#hosts.faults();
  }

  assertNoFaults(): void {
    this.#hosts.assertNoFaults();
  }

  restarts(daemonSet: string, node: string): number {
    return this.#daemons.restarts(daemonSet, node);
  }

  setDaemonReady(daemonSet: string, node: string, ready: boolean): Promise<void> {
    return this.#daemons.setReady(daemonSet, node, ready);
  }

  nodeOf(namespace: string, pod: string): string | undefined {
    return this.#podOf(namespace, pod)?.node.spec.name;
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

  #podOf(namespace: string, pod: string): PodOfNode | undefined {
    const found = this.#byPod.get(podKey(namespace, pod));
    if (found !== undefined) return found;
    const ofDaemon = this.#daemons.runs(namespace, pod);
    const node = ofDaemon && this.#byName.get(ofDaemon.node);
    return ofDaemon && node && { node, template: ofDaemon.template };
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
