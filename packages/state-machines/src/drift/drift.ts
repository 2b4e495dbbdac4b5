/** A device that the fabric lists on a machine of the cluster. */
export interface ListedOnFabric {
  readonly provider: string;
  readonly machine: string;
  readonly cdiDeviceId: string;
  readonly deviceId: string;
}

/** What the drift machine remembers: first sight of each device that nobody owns, and the devices to leave alone. */
export interface DriftMemory {
  /** Key of a device to the time of its first sight, in milliseconds since 1970. */
  readonly firstSeen: Readonly<Record<string, number>>;
  /** Keys of devices that were detached by annotation: never given back while they stay where they are. */
  readonly spared: readonly string[];
}

/** What one sweep saw. Only a sweep with complete caches counts. */
export interface Sweep<Device extends ListedOnFabric> {
  readonly listed: readonly Device[];
  /** Machines that could not be read: nothing is concluded about their devices. */
  readonly unreadable: readonly string[];
  /** Ids, of both kinds, that resources and tickets hold. */
  readonly owned: ReadonlySet<string>;
  /** Machines on whose lane an operation is open: what is new there may be its. */
  readonly busy: ReadonlySet<string>;
  readonly now: number;
  readonly graceMs: number;
}

/** What a sweep leads to. */
export interface DriftStep<Device extends ListedOnFabric> {
  readonly memory: DriftMemory;
  /** Whether the memory differs from before: only then it is written. */
  readonly changed: boolean;
  /** Devices that nobody has owned for the whole grace time: to be given back. */
  readonly orphans: readonly Device[];
}

/** What a device is remembered by; `undefined` for one without any id, which is never touched. */
export function driftKey(device: ListedOnFabric): string | undefined {
  const id = device.cdiDeviceId === '' ? device.deviceId : device.cdiDeviceId;
  return id === '' ? undefined : [device.provider, device.machine, id].map(encodeURIComponent).join('/');
}

/** The machine of a key that {@link driftKey} made. */
function machineOf(key: string): string {
  return decodeURIComponent(key.split('/')[1] ?? '');
}

/** The drift machine: compares what the fabric has with what the cluster owns. Pure. */
export function stepDrift<Device extends ListedOnFabric>(memory: DriftMemory, sweep: Sweep<Device>): DriftStep<Device> {
  const unreadable = new Set(sweep.unreadable);
  const listedKeys = new Set(sweep.listed.flatMap((device) => driftKey(device) ?? []));
  const spared = memory.spared.filter(
    (key) => unreadable.has(machineOf(key)) || (listedKeys.has(key) && !isOwned(key, sweep)),
  );
  const firstSeen: Record<string, number> = {};
  for (const [key, time] of Object.entries(memory.firstSeen)) {
    if (unreadable.has(machineOf(key))) firstSeen[key] = time;
  }
  const orphans: Device[] = [];
  for (const device of sweep.listed) {
    const key = driftKey(device);
    if (key === undefined || owns(sweep.owned, device) || spared.includes(key)) continue;
    // A clock that was set back must not make a device wait for ever.
    const seen = Math.min(memory.firstSeen[key] ?? sweep.now, sweep.now);
    firstSeen[key] = seen;
    if (sweep.now - seen >= sweep.graceMs && !sweep.busy.has(device.machine)) orphans.push(device);
  }
  const next = { firstSeen, spared };
  return { memory: next, changed: !sameMemory(memory, next), orphans };
}

function owns(owned: ReadonlySet<string>, device: ListedOnFabric): boolean {
  return (
    (device.deviceId !== '' && owned.has(device.deviceId)) ||
    (device.cdiDeviceId !== '' && owned.has(device.cdiDeviceId))
  );
}

function isOwned<Device extends ListedOnFabric>(key: string, sweep: Sweep<Device>): boolean {
  return sweep.listed.some((device) => driftKey(device) === key && owns(sweep.owned, device));
}

function sameMemory(left: DriftMemory, right: DriftMemory): boolean {
  const leftKeys = Object.keys(left.firstSeen);
  return (
    leftKeys.length === Object.keys(right.firstSeen).length &&
    leftKeys.every((key) => left.firstSeen[key] === right.firstSeen[key]) &&
    left.spared.length === right.spared.length &&
    left.spared.every((key) => right.spared.includes(key))
  );
}
