import type { Device, DeviceSpec, FabricEvent, Machine, MachineSpec, OpStatus, Placement } from './device.ts';
import { FreeList } from './free-list.ts';
import { numberMachines } from './machines.ts';

interface Entry {
  device: Device;
  placement: Placement;
  home: string | undefined;
}

/** A kind of device. */
export type Kind = Pick<Device, 'type' | 'model'>;

/** Which devices a caller wants. */
export interface Wanted {
  readonly type: string;
  readonly model: string;
  readonly count: number;
}

/** What is attached where, by `resUuid`; the lists are in order of arrival. */
export interface Snapshot {
  readonly free: readonly string[];
  readonly reserved: readonly string[];
  /** One entry for each machine, by its UUID. */
  readonly machines: Readonly<Record<string, readonly string[]>>;
}

/** The devices and machines behind every protocol. Knows no protocol itself. */
export class Pool {
  readonly #entries = new Map<string, Entry>();
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #attached = new Map<string, Set<string>>();
  readonly #free = new FreeList();
  readonly #kinds = new Map<string, Kind>();
  readonly #listeners = new Set<(event: FabricEvent) => void>();
  readonly #monotonic: () => number;

  constructor(devices: readonly DeviceSpec[], machines: readonly MachineSpec[], monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#machines = numberMachines(machines);
    for (const uuid of this.#machines.keys()) this.#attached.set(uuid, new Set());
    for (const spec of devices) this.#add(spec);
  }

  #add(spec: DeviceSpec): void {
    const { machine, ...rest } = spec;
    if (this.#entries.has(spec.resUuid)) throw new Error(`two devices have the resUuid ${spec.resUuid}`);
    const device: Device = { opStatus: '0', name: spec.resUuid, fabricUuid: undefined, ...rest };
    const entry: Entry = { device, placement: { tag: 'free' }, home: machine };
    this.#entries.set(spec.resUuid, entry);
    this.#kinds.set(`${device.type} ${device.model}`, device);
    this.#free.add(device);
    if (machine !== undefined) this.#place(entry, { tag: 'attached', machine });
  }

  /** Adds a device that is made on demand, to where its spec says. */
  add(spec: DeviceSpec): void {
    this.#add(spec);
    this.#entry(spec.resUuid).home = undefined;
  }

  /** Takes a device out for good. */
  remove(resUuid: string): void {
    const entry = this.#entry(resUuid);
    this.#place(entry, { tag: 'free' });
    this.#free.delete(entry.device);
    this.#entries.delete(resUuid);
  }

  /** Every machine, in the order in which they were given. */
  machines(): readonly Machine[] {
    return [...this.#machines.values()];
  }

  /** Every device, in the order in which they were given. */
  devices(): readonly Device[] {
    return [...this.#entries.values()].map(({ device }) => device);
  }

  /** Every type and model that there is or was, in the order in which they turned up. */
  kinds(): readonly Kind[] {
    return [...this.#kinds.values()].map(({ type, model }) => ({ type, model }));
  }

  /** The machine with this UUID. */
  machine(machUuid: string): Machine | undefined {
    return this.#machines.get(machUuid);
  }

  /** The devices on a machine, in order of arrival. */
  attachedTo(machUuid: string): readonly Device[] {
    return [...this.#on(machUuid)].map((resUuid) => this.#entry(resUuid).device);
  }

  /** A device by the fabric's id. */
  device(resUuid: string): Device | undefined {
    return this.#entries.get(resUuid)?.device;
  }

  /** Where a device is. Throws when there is no such device. */
  placement(resUuid: string): Placement {
    return this.#entry(resUuid).placement;
  }

  /** How many free devices of a kind a machine can reach. Any type when `type` is left out. */
  countFree(machine: Machine, model: string, type?: string): number {
    return this.#free.count(machine.fabricUuid, model, type);
  }

  /** Takes devices from the pool for a machine: all that are wanted, or none (`undefined`). */
  reserve(machine: Machine, wanted: readonly Wanted[]): readonly Device[] | undefined {
    const taken: Device[] = [];
    for (const { type, model, count } of wanted) {
      const found = this.#free.first(machine.fabricUuid, type, model, count);
      for (const device of found) {
        this.#place(this.#entry(device.resUuid), { tag: 'reserved', machine: machine.machUuid });
        taken.push(device);
      }
      if (found.length < count) {
        for (const device of taken) this.#place(this.#entry(device.resUuid), { tag: 'free' });
        return undefined;
      }
    }
    return taken;
  }

  /** Takes one free device from the pool for a machine. False when it is not free. */
  hold(resUuid: string, machUuid: string): boolean {
    const entry = this.#entry(resUuid);
    if (entry.placement.tag !== 'free') return false;
    this.#place(entry, { tag: 'reserved', machine: machUuid });
    return true;
  }

  /** Puts a device on a machine, or into the pool (`undefined`), from wherever it is. */
  move(resUuid: string, machUuid: string | undefined): void {
    if (machUuid !== undefined) this.#on(machUuid);
    this.#place(
      this.#entry(resUuid),
      machUuid === undefined ? { tag: 'free' } : { tag: 'attached', machine: machUuid },
    );
  }

  /** Sets a device's health. */
  setOpStatus(resUuid: string, opStatus: OpStatus): void {
    const entry = this.#entry(resUuid);
    entry.device = { ...entry.device, opStatus };
    if (entry.placement.tag === 'free') this.#free.add(entry.device);
  }

  /** Calls `listener` for each device that comes or goes, after the change. It must not throw. The result ends it. */
  subscribe(listener: (event: FabricEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** What is attached where at this moment. */
  snapshot(): Snapshot {
    const lists = { free: [...this.#entries.values()].filter((entry) => entry.placement.tag === 'free') };
    const reserved = [...this.#entries.values()].filter((entry) => entry.placement.tag === 'reserved');
    return {
      free: lists.free.map((entry) => entry.device.resUuid),
      reserved: reserved.map((entry) => entry.device.resUuid),
      machines: Object.fromEntries([...this.#attached].map(([uuid, devices]) => [uuid, [...devices]])),
    };
  }

  /** The devices that are not where they began, each with where it is now. */
  strays(): readonly { readonly device: Device; readonly placement: Placement }[] {
    return [...this.#entries.values()].filter(({ placement, home }) =>
      placement.tag === 'attached' ? placement.machine !== home : placement.tag === 'reserved' || home !== undefined,
    );
  }

  #place(entry: Entry, next: Placement): void {
    const { device, placement: before } = entry;
    if (before.tag === 'attached' && next.tag === 'attached' && before.machine === next.machine) return;
    entry.placement = next;
    if (before.tag === 'free') this.#free.delete(device);
    if (before.tag === 'attached') this.#on(before.machine).delete(device.resUuid);
    if (next.tag === 'free') this.#free.add(device);
    if (next.tag === 'attached') this.#on(next.machine).add(device.resUuid);
    if (before.tag === 'attached') this.#emit('detached', before.machine, device);
    if (next.tag === 'attached') this.#emit('attached', next.machine, device);
  }

  #emit(tag: FabricEvent['tag'], machine: string, device: Device): void {
    for (const listener of this.#listeners) listener({ tag, machine, device, atMs: this.#monotonic() });
  }

  #entry(resUuid: string): Entry {
    const entry = this.#entries.get(resUuid);
    if (entry === undefined) throw new Error(`no device has the resUuid ${resUuid}`);
    return entry;
  }

  #on(machUuid: string): Set<string> {
    const devices = this.#attached.get(machUuid);
    if (devices === undefined) throw new Error(`no machine has the UUID ${machUuid}`);
    return devices;
  }
}
