import type { KubeObject } from '@cro/kube-runtime';

/**
 * The part of a ResourceSlice (resource.k8s.io/v1) that says which devices a node shows. Everything else is dropped when
 * it is read: a cluster has many slices, and a slice up to 128 devices.
 */
export interface ResourceSlice extends KubeObject {
  /** The one node that the slice is about; absent when it is about many (`allNodes`, `nodeSelector`). */
  readonly nodeName?: string;
  /** `spec.driver`, and `spec.pool.name` and `.generation`. Of the slices of a pool those of the highest generation count. */
  readonly driver: string;
  readonly pool: string;
  readonly generation: number;
  /** Its whole devices, if it is of a node and of a driver that is accepted: those that have a string attribute `uuid`. */
  readonly devices: readonly SliceDevice[];
  /** What else there is of such devices under another name. */
  readonly partitions: readonly SlicePartition[];
  /** What a driver that is not accepted shows on its node, by `uuid` or `parentUUID`: it counts for nothing. */
  readonly ignored: readonly string[];
}

/**
 * Another entry for a device, or for a part of it, that can be allocated by itself: a MIG device, or the GPU as it is passed through to a
 * virtual machine. One may have a `uuid` of its own as well.
 */
export interface SlicePartition {
  readonly name: string;
  /** The attribute `uuid` of the whole device. */
  readonly of: string;
  /** The attribute `productName`: that of the whole device. */
  readonly model?: string;
}

/** A device in a slice. */
export interface SliceDevice {
  /** The attribute `uuid`. */
  readonly id: string;
  /** What the driver calls it: it may get another name when the driver starts again. */
  readonly name: string;
  /** It is memory: its id is the attribute that was named for that. */
  readonly isMemory?: true;
  /** The attribute `productName`. */
  readonly model?: string;
  /** The attribute `serialNumber`, which some drivers publish. */
  readonly serialNumber?: string;
}

/** A driver that publishes memory, and the string attribute by which it names it. */
export interface MemoryAttribute {
  readonly driver: string;
  readonly attribute: string;
}

/** The drivers whose slices are looked at. Others may list the same GPUs: monitors, pools, quotas. */
export interface SliceDrivers {
  /** Those from which pods get GPUs. */
  readonly gpu: readonly string[];
  /** A driver whose devices are memory, known by an attribute of theirs. */
  readonly memory?: MemoryAttribute;
}

/** NVIDIA's driver of GPUs, alone. Its compute domains have a driver of their own, which shows no GPU. */
export const NVIDIA_SLICES: SliceDrivers = { gpu: ['gpu.nvidia.com'] };
