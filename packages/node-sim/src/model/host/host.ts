import type { Device } from '@cro/fabric-sim';
import { fixedDevice, idOf, isBound, type BoundGpu, type Gpu, type GpuFacts } from './gpu.ts';
import type { HostEvents, RemoveOutcome } from './host-events.ts';
import { factsOf, type DriverKind, type HostSpec } from './host-spec.ts';
import { KernelModules, type UnloadOutcome } from './kernel-modules.ts';
import { addressOfSlot } from './pci-address.ts';
import { Processes, type Process, type ProcessSpec } from './processes.ts';

/** Name of nvidia-persistenced, as the kernel cuts it off. */
export const PERSISTENCED = 'nvidia-persiste';

/** What the GPU is held by beside processes: what a fault says, too. */
const PERSISTENCE_MODE = 'persistence mode';

/**
 * The GPUs of a host, and what its kernel and NVIDIA's driver make of them. A GPU that is plugged in stands on the bus, and the
 * driver has it once something makes it look: nvidia-smi, or `look()`.
 */
export class Host {
  readonly spec: HostSpec;
  readonly driver: DriverKind;
  readonly processes = new Processes();
  readonly modules: KernelModules;
  /** Grows with each change of what the host's files say. */
  revision = 0;
  /** What nvidia-smi complains of on stderr, beside its answers. */
  warning = '';
  /** The process of nvidia-persistenced that was started last. Its file of the process id outlives it when it is killed. */
  persistenced: Process | undefined;
  readonly #events: HostEvents;
  readonly #slots: (Gpu | undefined)[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(spec: HostSpec, events: HostEvents) {
    this.spec = spec;
    this.#events = events;
    this.driver = spec.driver ?? 'host';
    this.modules = new KernelModules((name) => this.#moduleInUse(name));
    this.#boot();
    for (const facts of spec.fixedGpus ?? []) this.#insert({ ...facts });
    this.look();
  }

  /** The GPUs that are plugged in, by slot. */
  get plugged(): readonly Gpu[] {
    return this.#slots.filter((gpu) => gpu !== undefined);
  }

  /** The GPUs that the driver has, by address. */
  get bound(): readonly BoundGpu[] {
    return this.plugged.filter(isBound);
  }

  /** The GPUs that a new client of the driver sees. Its place among them is a GPU's index. */
  get visible(): readonly BoundGpu[] {
    return this.bound.filter(({ draining }) => !draining);
  }

  /** The devices that software which asks the driver finds. */
  get found(): readonly Device[] {
    return this.visible.map(({ device, uuid, model }) => device ?? fixedDevice(uuid, model));
  }

  /** Plugs a device of the fabric in. Devices that are no GPUs are nothing to the driver. */
  plug(device: Device): void {
    if (device.type !== 'gpu' || device.serial === '') return;
    this.#insert({ ...factsOf(device, this.spec), device });
  }

  /** Pulls a device out. That it was not removed in order before is a fault. */
  unplug(resUuid: string): void {
    const slot = this.#slots.findIndex((gpu) => gpu?.device?.resUuid === resUuid);
    const gpu = this.#slots[slot];
    if (gpu === undefined) return;
    this.#events.leaving(gpu);
    const holders = this.processes.holding(gpu.uuid);
    if (isBound(gpu) || holders.length > 0) {
      const what = holders.length > 0 ? 'pulledWhileOpen' : 'pulledWhileBound';
      const mode = gpu.persistent ? [PERSISTENCE_MODE] : [];
      this.#events.fault({ uuid: gpu.uuid, what, heldBy: ['nvidia', ...mode, ...holders.map(nameOf)] });
    }
    this.#slots[slot] = undefined;
    this.#forget(gpu);
    this.#changed();
  }

  /** Lets the driver look at the bus, and open what it has: it takes what is new there. Loads the driver where it is not. */
  look(): void {
    if (this.driver === 'none') return;
    this.modules.load('nvidia');
    this.#bindAll();
    const untold = this.visible.filter(({ initialised }) => !initialised);
    for (const gpu of untold) gpu.initialised = true;
    if (untold.length > 0) this.#changed();
    const unlinked = this.bound.filter(({ deviceFile }) => !deviceFile);
    for (const gpu of unlinked) gpu.deviceFile = true;
    if (unlinked.length > 0) this.#changed();
  }

  /** Boots it anew: nothing runs that did, and what is plugged in stands on the bus, as the driver finds it. */
  reboot(): void {
    this.processes.endAll();
    this.modules.unloadAll();
    for (const gpu of this.plugged) {
      this.#forget(gpu);
      Object.assign(gpu, { onBus: true, persistent: this.#isPersistentAtFirst, mig: [] });
    }
    this.persistenced = undefined;
    this.#boot();
    this.#bindAll();
    this.#changed();
  }

  /** Takes a GPU off the bus, if nothing holds it. */
  remove(gpu: Gpu): RemoveOutcome {
    const by = this.processes.holding(gpu.uuid);
    if (by.length > 0) return { tag: 'held', by };
    const names = this.#modulesOfLast(gpu);
    if (names.length > 0) return { tag: 'modules', names };
    if (gpu.device === undefined) this.#events.fault({ uuid: gpu.uuid, what: 'fixedRemoved', heldBy: [] });
    gpu.onBus = false;
    this.#forget(gpu);
    if (gpu.device !== undefined) this.#events.removed(gpu.device);
    return { tag: 'removed' };
  }

  /** Takes a GPU off the bus as soon as nothing holds it: so long the kernel keeps the writer of `remove` waiting. */
  async removeWhenFree(gpu: Gpu): Promise<void> {
    if (this.remove(gpu).tag === 'removed') return;
    // The writer cannot be killed, and stays when its client has hung up.
    const path = `/usr/bin/tee /sys/bus/pci/devices/${gpu.address}/remove`;
    const writer = this.start({ comm: 'tee', path, opens: [], computes: false });
    // Its number may be another's after a reboot.
    const isThere = () => this.processes.get(writer.pid) === writer;
    do await this.#nextChange();
    while (isThere() && gpu.onBus && this.plugged.includes(gpu) && this.remove(gpu).tag !== 'removed');
    if (isThere()) this.kill(writer.pid);
  }

  /** Lets the kernel look for what was removed, and is plugged in still. */
  rescan(): void {
    for (const gpu of this.plugged) gpu.onBus = true;
    this.#changed();
  }

  /** Switches a GPU's persistence mode. */
  setPersistent(gpu: BoundGpu, on: boolean): void {
    gpu.persistent = on;
    if (on && this.#persistencedRuns) {
      gpu.initialised = true;
      this.persistenced?.opens.add(gpu.uuid);
    }
    if (!on && this.#daemon === 'follows') this.persistenced?.opens.delete(gpu.uuid);
    this.#changed();
  }

  /** Lets new clients of the driver see a GPU, or not. */
  setDraining(gpu: BoundGpu, on: boolean): void {
    if (on && gpu.device === undefined) this.#events.fault({ uuid: gpu.uuid, what: 'fixedDrained', heldBy: [] });
    if (on && !gpu.draining) this.#events.leaving(gpu);
    gpu.draining = on;
    this.#changed();
  }

  /** Cuts a GPU into these MIG devices; none: it is whole. */
  setMig(gpu: BoundGpu, devices: readonly string[]): void {
    gpu.mig = devices;
    this.#changed();
    this.#events.recut(idOf(gpu));
  }

  /** UUIDs of the MIG devices of a GPU, by the fabric's id of it, or its UUID where no fabric knows it. */
  migOf(id: string): readonly string[] {
    return this.plugged.find((gpu) => idOf(gpu) === id)?.mig ?? [];
  }

  /** Starts nvidia-persistenced; false when it runs already. It opens the GPUs whose persistence mode is on. */
  startPersistenced(mode: 'on' | 'asItIs' = 'asItIs'): boolean {
    if (this.#persistencedRuns) return false;
    this.persistenced = this.processes.start({ comm: 'nvidia-persistenced', opens: [], computes: false });
    for (const gpu of this.visible) if (gpu.persistent || mode === 'on') this.setPersistent(gpu, true);
    this.#changed();
    return true;
  }

  /** Starts a process. */
  start(spec: ProcessSpec): Process {
    const process = this.processes.start(spec);
    this.#changed();
    return process;
  }

  /** Ends a process. False when there is none. */
  kill(pid: number): boolean {
    const ended = this.processes.end(pid);
    this.#changed();
    return ended;
  }

  /** Unloads a kernel module. Without `nvidia` the driver has no GPU. */
  unload(name: string, how: 'alone' | 'withUsed' = 'withUsed'): UnloadOutcome {
    const outcome = this.modules.unload(name, how === 'alone');
    if (!this.modules.has('nvidia')) for (const gpu of this.bound) this.#forget(gpu);
    this.#changed();
    return outcome;
  }

  /** Removes the device file of a GPU; who has it open keeps it. */
  unlinkDeviceFile(minor: number): void {
    for (const gpu of this.bound) if (gpu.minor === minor) gpu.deviceFile = false;
    this.#changed();
  }

  /** Version of the driver. */
  get driverVersion(): string {
    return this.spec.driverVersion ?? '580.65.06';
  }

  get #daemon() {
    if (this.driver === 'none') return 'none';
    return this.spec.persistenced ?? (this.driver === 'container' ? 'keeps' : 'follows');
  }

  get #persistencedRuns(): boolean {
    return this.persistenced !== undefined && this.processes.get(this.persistenced.pid) !== undefined;
  }

  #boot(): void {
    if (this.driver !== 'none') for (const name of ['nvidia_uvm', 'nvidia_drm']) this.modules.load(name);
    if (this.#daemon !== 'none') this.startPersistenced();
  }

  get #isPersistentAtFirst(): boolean {
    return this.spec.persistenceMode ?? this.#daemon !== 'none';
  }

  #insert(facts: GpuFacts & Pick<Gpu, 'device'>): void {
    const gap = this.#slots.indexOf(undefined);
    const slot = gap === -1 ? this.#slots.length : gap;
    this.#slots[slot] = {
      ...{ ...facts, address: addressOfSlot(slot), onBus: true, minor: undefined },
      ...{ persistent: this.#isPersistentAtFirst, draining: false },
      ...{ deviceFile: false, initialised: false, mig: [] },
    };
    this.#changed();
  }

  #bindAll(): void {
    if (!this.modules.has('nvidia')) return;
    for (const gpu of this.plugged) if (gpu.onBus && gpu.minor === undefined) this.#bind(gpu);
  }

  #bind(gpu: Gpu): void {
    const taken = new Set(this.bound.map(({ minor }) => minor));
    let minor = 0;
    while (taken.has(minor)) minor += 1;
    const bound = Object.assign(gpu, { minor });
    if (gpu.persistent) this.setPersistent(bound, true);
  }

  #forget(gpu: Gpu): void {
    Object.assign(gpu, { minor: undefined, initialised: false, persistent: false, draining: false, deviceFile: false });
    for (const process of this.processes.list()) process.opens.delete(gpu.uuid);
    this.#changed();
  }

  /** The last GPU of a driver on the host goes only when these modules have gone, which use the driver themselves. */
  #modulesOfLast(gpu: Gpu): readonly string[] {
    const isLast = this.driver === 'host' && isBound(gpu) && this.bound.length === 1;
    return isLast ? ['nvidia_drm', 'nvidia_uvm'].filter((name) => this.modules.has(name)) : [];
  }

  #moduleInUse(name: string): boolean {
    const users = this.processes.list().filter(({ opens }) => opens.size > 0);
    return name === 'nvidia' ? users.length > 0 : name === 'nvidia_uvm' && users.some(({ computes }) => computes);
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #changed(): void {
    this.revision += 1;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** `python3[1002]`. */
function nameOf({ comm, pid }: Process): string {
  return `${comm}[${pid}]`;
}
