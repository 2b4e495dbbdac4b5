import type { DeviceType, ResourceState, ScalarResourceDetails } from '@cro/crd-types';

/** Amounts of what pods take from a node. */
export interface Capacity {
  /** Thousandths of a core. */
  readonly milliCpu: number;
  /** Bytes. */
  readonly memory: number;
  /** Bytes. */
  readonly ephemeralStorage: number;
  /** Number of pods. */
  readonly pods: number;
}

/** How a request spreads its devices: all on one node, or each on a node of its own. */
export type Policy = 'samenode' | 'differentnode';

/** A request that has a claim on a node. */
export interface NodeUse {
  /** Name of the ComposabilityRequest. */
  readonly request: string;
  readonly policy: Policy;
  readonly type: DeviceType;
  readonly model: string;
}

/** What placement has to know of a node. */
export interface NodeSnapshot {
  readonly name: string;
  /** Its condition Ready is True. */
  readonly ready: boolean;
  /** Not cordoned, and no taint keeps ordinary pods away. */
  readonly schedulable: boolean;
  /** The fabric's id of its machine. `undefined`: the node is not mapped to the fabric. */
  readonly machine?: string | undefined;
  /** What its pods may take in all. Judges what is on the node already: the workload of a device must not evict it. */
  readonly allocatable: Capacity;
  /** Allocatable less the requests of its pods. Judges the node for devices that are not on it yet. */
  readonly free: Capacity;
  /** ComposableResources on the node, of every request, planned ones included. */
  readonly composedDevices: number;
  /** Whether its fabric has a free device of the wanted model. `unknown` passes: the attach will tell. */
  readonly freeOnFabric: 'yes' | 'no' | 'unknown';
  /**
   * Requests whose claim on the node goes before this one's: they have resources there, or they name it as their target
   * and are older. (Two requests that each wait for the other would wait for ever.) An entry of the request itself is
   * ignored.
   */
  readonly usedBy: readonly NodeUse[];
}

/** What the plan has to know of one ComposableResource of the request, created or only planned. */
export interface Child {
  readonly name: string;
  readonly node: string;
  readonly state: ResourceState;
  /** False: it stands in `status.resources`, and the object does not exist yet. */
  readonly created: boolean;
  readonly type: DeviceType;
  readonly model: string;
  readonly forceDetach: boolean;
  /** The fabric has attached a device for it. */
  readonly hasDevice: boolean;
  /** Its status holds an error. */
  readonly failing: boolean;
  /** An autoscaler wants this one to go first. */
  readonly deleteAnnotated: boolean;
  /** When an autoscaler saw it used last, in milliseconds since 1970; its creation time where there is none. */
  readonly lastUsedMs: number;
}

/** Everything a plan is made of. The order of the lists does not matter. */
export interface PlanInput {
  readonly requestName: string;
  readonly resource: ScalarResourceDetails;
  /** Its children but those on their way out (Detaching, Deleting, or being deleted): these neither count nor can be kept. */
  readonly children: readonly Child[];
  readonly nodes: readonly NodeSnapshot[];
}

/**
 * Why devices cannot be placed now.
 *
 * - `InsufficientNodes`: too few nodes pass the filters.
 * - `TargetNodeMissing`: `target_node` does not exist.
 * - `TargetNodeUnfit`: `target_node` exists and a filter refuses it.
 * - `Conflict`: another samenode request has the same kind of device on the one node that this request could use.
 */
export type UnplaceableReason = 'InsufficientNodes' | 'TargetNodeMissing' | 'TargetNodeUnfit' | 'Conflict';

/** What becomes of the children, by name. `keep` and `drop` together are all of them, each sorted by name. */
interface Division {
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}

/** Every wanted device has a place. `create` holds the node of each new child, so `keep` and `create` make up the size. */
export interface Planned extends Division {
  readonly tag: 'planned';
  readonly create: readonly string[];
}

/**
 * Some devices have no place. `keep` stays. `drop` is not wanted whatever happens and should go already: the free device
 * that is missing may be one of these.
 */
export interface Unplaceable extends Division {
  readonly tag: 'unplaceable';
  readonly reason: UnplaceableReason;
  /** For a person: which filter refused how many nodes. The same input gives the same text. */
  readonly message: string;
}

/** Answer of `plan`. */
export type Plan = Planned | Unplaceable;
