/**
 * Health as FM writes it in `res_op_status`: the first character counts (0 ok, 1 warning, 2 critical, others unknown), more
 * may follow (`0 OK`), and it may be empty.
 */
export type OpStatus = string;

/** A device, as it is described when a simulator is made. */
export interface DeviceSpec {
  /** The fabric's word for the kind of device: `gpu`, `cxlmemory`, ... */
  readonly type: string;
  readonly model: string;
  /** What the node knows the device by: for a GPU its UUID (`GPU-...`). May be empty. */
  readonly serial: string;
  /** What the fabric knows the device by. Unique. */
  readonly resUuid: string;
  /** `0` (ok) unless given. */
  readonly opStatus?: OpStatus;
  /** `resUuid` unless given. */
  readonly name?: string;
  /** The fabric that it is plugged into. Reachable from every machine unless given. */
  readonly fabricUuid?: string;
  /** UUID of the machine that it is attached to from the start. In the pool unless given. */
  readonly machine?: string;
  /** For memory: how much it brings to its machine, in MiB. */
  readonly memoryMiB?: number;
}

/** A device, with what changes about it. */
export interface Device {
  readonly type: string;
  readonly model: string;
  readonly serial: string;
  readonly resUuid: string;
  readonly name: string;
  readonly fabricUuid: string | undefined;
  readonly opStatus: OpStatus;
  readonly memoryMiB?: number;
}

/** A machine on the fabric. */
export interface MachineSpec {
  readonly machUuid: string;
  readonly name: string;
  readonly fabricUuid: string;
}

/** A machine, with the numbers that the fabric gave it. */
export interface Machine extends MachineSpec {
  readonly fabricId: number;
  readonly machId: number;
}

/** Where a device is. `reserved`: an attach to that machine has taken it from the pool and is at work. */
export type Placement =
  | { readonly tag: 'free' }
  | { readonly tag: 'reserved'; readonly machine: string }
  | { readonly tag: 'attached'; readonly machine: string };

/** A device that has come to a machine or left it. */
export interface FabricEvent {
  readonly tag: 'attached' | 'detached';
  /** UUID of the machine. */
  readonly machine: string;
  readonly device: Device;
  /** On the clock's monotonic scale, in milliseconds. */
  readonly atMs: number;
}
