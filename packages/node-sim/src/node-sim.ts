import type { Clock } from '@cro/clock';
import type { FabricSim } from '@cro/fabric-sim';
import type { Api } from './api.ts';
import { Driver, type Delays } from './driver.ts';
import { createNode, deleteNode, setNodeReady } from './node-client.ts';
import type { NodeSpec } from './node-object.ts';
import { inParallel } from './parallel.ts';
import { Publisher } from './publisher.ts';
import type { Problem, RetryHost } from './retry.ts';

/** What a node simulator is made of. */
export interface NodeSimOptions {
  readonly clock: Clock;
  /** Where devices come from. */
  readonly fabric: Pick<FabricSim, 'subscribe' | 'attachedTo'>;
  readonly api: Api;
  readonly nodes: readonly NodeSpec[];
  /** From a device's attach to its being in the slice. 0 unless given; `Infinity` is never. */
  readonly publishDelayMs?: number;
  /** From a device's detach to its being out of the slice. `publishDelayMs` unless given. */
  readonly withdrawDelayMs?: number;
  /** Is told of every write that failed; it is tried again unless it says `final`. */
  readonly report: (problem: Problem) => void;
}

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
  /** Sets the delays of one device, by its `resUuid`; what is left out is as for all. */
  setDelays(resUuid: string, delays: Partial<Delays>): void;
  /** Resolves when everything that is due has been written (or was refused). */
  settled(): Promise<void>;
  /** Ends all of it; objects stay in the API server. */
  stop(): void;
}

interface Running {
  readonly spec: NodeSpec;
  readonly publisher: Publisher;
  readonly driver: Driver;
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
  readonly #delays = new Map<string, Partial<Delays>>();
  readonly #unsubscribe: () => void;

  constructor(options: NodeSimOptions) {
    this.#options = options;
    this.#host = { clock: options.clock, report: options.report, signal: this.#end.signal };
    this.#unsubscribe = options.fabric.subscribe(({ tag, machine, device }) => {
      this.#byMachine.get(machine)?.driver[tag](device);
    });
  }

  async start(): Promise<void> {
    await inParallel(CREATED_AT_ONCE, this.#options.nodes, (spec) => this.addNode(spec));
    await this.settled();
  }

  async addNode(spec: NodeSpec): Promise<void> {
    const { api, clock, fabric } = this.#options;
    if (this.#byName.has(spec.name)) throw new Error(`node ${spec.name} is there already`);
    const owner = await createNode(api, this.#host, spec);
    const publisher = new Publisher(api, this.#host, owner);
    const driver = new Driver(clock, publisher, (resUuid) => this.#delaysOf(resUuid));
    const running = { spec, publisher, driver };
    this.#byName.set(spec.name, running);
    this.#byMachine.set(spec.machUuid, running);
    driver.start(fabric.attachedTo(spec.machUuid));
  }

  async deleteNode(name: string): Promise<void> {
    const { spec, publisher, driver } = this.#node(name);
    this.#byName.delete(name);
    this.#byMachine.delete(spec.machUuid);
    await deleteNode(this.#options.api, this.#host, name);
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

  async settled(): Promise<void> {
    const publishers = [...[...this.#byName.values()].map((node) => node.publisher), ...this.#departing];
    await Promise.all(publishers.map((publisher) => publisher.settled()));
  }

  stop(): void {
    this.#unsubscribe();
    for (const { driver } of this.#byName.values()) driver.stop();
    this.#end.abort(new Error('the node simulator was stopped'));
  }

  #delaysOf(resUuid: string): Delays {
    const { publishDelayMs = 0, withdrawDelayMs = publishDelayMs } = this.#options;
    return { publishMs: publishDelayMs, withdrawMs: withdrawDelayMs, ...this.#delays.get(resUuid) };
  }

  #node(name: string): Running {
    const node = this.#byName.get(name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }
}
