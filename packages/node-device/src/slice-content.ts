import type { ResourceSlice, SliceDevice, SliceDrivers, SlicePartition } from './resource-slice.ts';

/** What a slice shows, or does not. */
export type SliceContent = Pick<ResourceSlice, 'devices' | 'partitions' | 'ignored'>;

/** A device of a slice that has a name and attributes. */
interface Entry {
  readonly name: string;
  /** The value of a string attribute that is not empty. */
  readonly text: (attribute: string) => string | undefined;
}

const NOTHING: SliceContent = { devices: [], partitions: [], ignored: [] };

/** NVIDIA's driver gives the entry of a GPU that is passed through to a virtual machine a made-up `uuid`, and this type. */
const PASSED_THROUGH = 'vfio';
const PCI_ADDRESS = 'resource.kubernetes.io/pciBusID';

/** Reads the devices of a slice as its driver means them. What is offered to many nodes is on none of them. */
export function contentOf(
  devices: readonly unknown[],
  { driver, isOfNode }: { readonly driver: string; readonly isOfNode: boolean },
  { gpu, memory }: SliceDrivers,
): SliceContent {
  if (!isOfNode) return NOTHING;
  const entries = devices.flatMap(entryOf);
  if (driver === memory?.driver)
    return { ...NOTHING, devices: entries.flatMap((one) => memoryIn(one, memory.attribute)) };
  const whole = entries.filter(isWhole).flatMap(deviceOf);
  const partitions = partitionsIn(entries);
  if (gpu.includes(driver)) return { devices: whole, partitions, ignored: [] };
  return { ...NOTHING, ignored: [...new Set([...whole.map(({ id }) => id), ...partitions.map(({ of }) => of)])] };
}

function entryOf(device: unknown): readonly Entry[] {
  if (!isRecord(device) || typeof device['name'] !== 'string' || !isRecord(device['attributes'])) return [];
  const { name, attributes } = device;
  const text = (attribute: string) => {
    const value = attributes[attribute];
    const found = isRecord(value) ? value['string'] : undefined;
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  return [{ name, text }];
}

function isWhole({ text }: Entry): boolean {
  return text('parentUUID') === undefined && text('type') !== PASSED_THROUGH;
}

/** Drivers choose their attributes: a device without a `uuid`, or with one of another type, is not one of ours. */
function deviceOf({ name, text }: Entry): readonly SliceDevice[] {
  const id = text('uuid');
  // A driver of pooled devices publishes an empty uuid for one that is not attached anywhere.
  if (id === undefined) return [];
  const serialNumber = text('serialNumber');
  return [{ id, name, ...modelOf(text), ...(serialNumber !== undefined && { serialNumber }) }];
}

/** MIG devices name their GPU. One that is passed through has only its place on the bus in common with it. */
function partitionsIn(entries: readonly Entry[]): readonly SlicePartition[] {
  const gpuAt = (address: string) =>
    entries.find((one) => isWhole(one) && one.text(PCI_ADDRESS) === address)?.text('uuid');
  return entries.flatMap((entry) => {
    if (isWhole(entry)) return [];
    const { name, text } = entry;
    const address = text(PCI_ADDRESS);
    const of = text('parentUUID') ?? (address === undefined ? undefined : gpuAt(address));
    return of === undefined ? [] : [{ name, of, ...modelOf(text) }];
  });
}

function modelOf(text: Entry['text']): { readonly model?: string } {
  const model = text('productName');
  return model === undefined ? {} : { model };
}

function memoryIn({ name, text }: Entry, attribute: string): readonly SliceDevice[] {
  const id = text(attribute);
  return id === undefined ? [] : [{ id, name, isMemory: true }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
