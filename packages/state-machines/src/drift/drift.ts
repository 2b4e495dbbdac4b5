import { driftKey, isOnMachine, type ListedOnFabric } from './key.ts';

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
  /**
   * Those of `owned` that are held only by resources which are deleted and detached by annotation. Such an owner is about to go
   * and does not end the sparing of its device.
   */
  readonly leaving?: ReadonlySet<string>;
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

/** The drift machine: compares what the fabric has with what the cluster owns. Pure. */
export function stepDrift<Device extends ListedOnFabric>(memory: DriftMemory, sweep: Sweep<Device>): DriftStep<Device> {
  const isUnreadable = (key: string) => sweep.unreadable.some((machine) => isOnMachine(key, machine));
  const listed = byKey(sweep.listed);
  const spared = memory.spared.filter((key) => isUnreadable(key) || staysSpared(listed.get(key) ?? [], sweep));
  const firstSeen = new Map(Object.entries(memory.firstSeen).filter(([key]) => isUnreadable(key)));
  const orphans: Device[] = [];
  for (const [key, entries] of listed) {
    const [device] = entries;
    if (device === undefined || isUnreadable(key) || spared.includes(key)) continue;
    if (entries.some((entry) => holds(sweep.owned, entry))) continue;
    // A clock that was set back must not make a device wait for ever.
    const seen = Math.min(memory.firstSeen[key] ?? sweep.now, sweep.now);
    firstSeen.set(key, seen);
    if (sweep.now - seen >= sweep.graceMs && !sweep.busy.has(device.machine)) orphans.push(device);
  }
  const next = { firstSeen: Object.fromEntries(firstSeen), spared };
  return { memory: next, changed: !sameMemory(memory, next), orphans };
}

/** A fabric may list a device twice: it is one device all the same. */
function byKey<Device extends ListedOnFabric>(listed: readonly Device[]): Map<string, Device[]> {
  const groups = new Map<string, Device[]>();
  for (const device of listed) {
    const key = driftKey(device);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), device]);
  }
  return groups;
}

/** A spared device stays so until it leaves its machine or has an owner again. */
function staysSpared(entries: readonly ListedOnFabric[], { owned, leaving }: Sweep<ListedOnFabric>): boolean {
  const hasNewOwner = (entry: ListedOnFabric) =>
    holds(owned, entry) && !(leaving !== undefined && holds(leaving, entry));
  return entries.length > 0 && !entries.some(hasNewOwner);
}

function holds(ids: ReadonlySet<string>, { deviceId, cdiDeviceId }: ListedOnFabric): boolean {
  return (deviceId !== '' && ids.has(deviceId)) || (cdiDeviceId !== '' && ids.has(cdiDeviceId));
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
