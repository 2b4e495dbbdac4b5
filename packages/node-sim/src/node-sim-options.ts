import type { Clock } from '@cro/clock';
import type { FabricSim } from '@cro/fabric-sim';
import type { Api } from './api.ts';
import type { DaemonSetSpec } from './daemons/daemon-set-spec.ts';
import type { Delays } from './driver.ts';
import type { NodeFault } from './model/host/node-fault.ts';
import type { Host } from './model/host/host.ts';
import type { HostSpec } from './model/host/host-spec.ts';
import type { NodeHost } from './model/host/node-host.ts';
import type { CommandResult, NodeModel, PodCommand } from './model/node-model.ts';
import type { NodeSpec } from './node-object.ts';
import type { PodTemplate } from './pods/pod-template.ts';
import type { Problem } from './retry.ts';

/** What a node simulator is made of. */
export interface NodeSimOptions {
  readonly clock: Clock;
  /** Where devices come from. */
  readonly fabric: Pick<FabricSim, 'subscribe' | 'attachedTo'>;
  readonly api: Api;
  readonly nodes: readonly NodeSpec[];
  /** Pods that each node has. None unless given. */
  readonly pods?: readonly PodTemplate[];
  /**
   * DaemonSets that each node has, whose pods come back when they are deleted or restarted: `DRA_PLUGIN`, `DEVICE_PLUGIN`, `DCGM`, or
   * your own. None unless given. They need an `api` that has `watch`.
   */
  readonly daemonSets?: readonly DaemonSetSpec[];
  /** From the end of a DaemonSet's pod to its successor's being ready, in milliseconds. 0 unless given. */
  readonly restartMs?: number;
  /** What a DaemonSet's pod has published, while its successor is not ready yet. `stale` unless given. */
  readonly meanwhile?: 'stale' | 'absent';
  /**
   * When GPUs that come or go show in the slice: by themselves, after the delays, or not before the pod of a DaemonSet that publishes it comes
   * anew. `byItself` unless given.
   */
  readonly publisher?: 'byItself' | 'afterRestart';
  /** What answers commands on a node with this host. `gpuNode` unless given. */
  readonly model?: (host: Host, clock: Clock) => NodeModel;
  /** From a device's attach to its being in the slice. 0 unless given; `Infinity` is never. */
  readonly publishDelayMs?: number;
  /** From a device's detach to its being out of the slice. `publishDelayMs` unless given. */
  readonly withdrawDelayMs?: number;
  /**
   * The DeviceTaintRules at this moment. Where it is given, it is a fault when a GPU begins to leave its driver, or is taken by the fabric, while the
   * scheduler could give it, or a MIG device of it, to a pod.
   */
  readonly rules?: () => readonly unknown[];
  /** What part of the memory that the fabric attaches shows as capacity: kernels keep some for their own account. 1 unless given. */
  readonly memoryShare?: number;
  /** Is told of every write that failed; it is tried again unless it says `final`. */
  readonly report: (problem: Problem) => void;
}

/** What the nodes of a world have beside their Node objects. */
export interface Equipment extends Pick<
  NodeSimOptions,
  'pods' | 'daemonSets' | 'restartMs' | 'meanwhile' | 'publisher'
> {
  /** The hardware of each. */
  readonly host?: HostSpec;
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
  /**
   * Boots a node anew: commands that run are lost, processes end, and the driver and its slice have what is plugged in, also what had
   * left the bus in order. Of GPUs that nobody has opened since, the driver does not tell the UUID.
   */
  reboot(name: string): void;
  /** A node's hardware, its driver and its processes. */
  host(name: string): NodeHost;
  /** What was done to hardware that must not be done, oldest first. It stays. */
  faults(): readonly NodeFault[];
  /** Throws, naming the faults, if there are any. */
  assertNoFaults(): void;
  /** How many times the pod that a DaemonSet has on a node came anew. */
  restarts(daemonSet: string, node: string): number;
  /** Keeps the pod that a DaemonSet has on a node from being ready, and those that come after it, or lets them be ready again. */
  setDaemonReady(daemonSet: string, node: string, ready: boolean): Promise<void>;
  /** The node that runs a pod. */
  nodeOf(namespace: string, pod: string): string | undefined;
  /** Resolves when everything that is due has been written (or was refused). */
  settled(): Promise<void>;
  /** Ends all of it; objects stay in the API server. */
  stop(): void;
}
