import type { Decoded, Kind, KubeObject } from '@cro/kube-runtime';

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
  /** The devices that have a string attribute `uuid`. */
  readonly devices: readonly SliceDevice[];
  /** The devices that have a string attribute `parentUUID`: parts of a GPU (MIG). One may have a `uuid` of its own as well. */
  readonly partitions: readonly SlicePartition[];
}

/** A part of a device that can be allocated by itself. */
export interface SlicePartition {
  readonly name: string;
  /** The attribute `uuid` of the whole device. */
  readonly of: string;
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

/** ResourceSlices, decoded to {@link ResourceSlice}. `memory`: a driver whose devices are memory, known by an attribute of theirs. */
export function sliceKindWith(memory: MemoryAttribute | undefined): Kind<ResourceSlice> {
  return {
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    decode: (value) => decodeSlice(value, memory),
  };
}

/** ResourceSlices of which GPUs alone are read. */
export const resourceSliceKind: Kind<ResourceSlice> = /* @__PURE__ */ sliceKindWith(undefined);

function decodeSlice(value: unknown, memory: MemoryAttribute | undefined): Decoded<ResourceSlice> {
  if (!isRecord(value)) return wrong('the object', 'an object', value);
  const { metadata, spec } = value;
  if (!isRecord(metadata)) return wrong('metadata', 'an object', metadata);
  const { name, uid, resourceVersion } = metadata;
  if (!isText(name)) return wrong('metadata.name', 'a string', name);
  if (!isText(uid)) return wrong('metadata.uid', 'a string', uid);
  if (!isText(resourceVersion)) return wrong('metadata.resourceVersion', 'a string', resourceVersion);
  if (!isRecord(spec)) return wrong('spec', 'an object', spec);
  const { nodeName, driver, pool } = spec;
  // Go writes an empty list as null in places.
  const devices = spec['devices'] ?? [];
  if (nodeName !== undefined && !isText(nodeName)) return wrong('spec.nodeName', 'a string', nodeName);
  if (!Array.isArray(devices)) return wrong('spec.devices', 'a list', devices);
  if (!isText(driver)) return wrong('spec.driver', 'a string', driver);
  if (!isRecord(pool)) return wrong('spec.pool', 'an object', pool);
  if (!isText(pool['name'])) return wrong('spec.pool.name', 'a string', pool['name']);
  if (typeof pool['generation'] !== 'number') return wrong('spec.pool.generation', 'a number', pool['generation']);
  const object: ResourceSlice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name, uid, resourceVersion },
    ...(nodeName === undefined || nodeName === '' ? {} : { nodeName }),
    driver,
    pool: pool['name'],
    generation: pool['generation'],
    devices: devices.flatMap(driver === memory?.driver ? (one) => memoryIn(one, memory.attribute) : identified),
    partitions: devices.flatMap(partitioned),
  };
  return { tag: 'ok', object };
}

/** Drivers choose their attributes: a device without a `uuid`, or with one of another type, is not one of ours. */
function identified(device: unknown): readonly SliceDevice[] {
  if (!isRecord(device) || !isText(device['name']) || !isRecord(device['attributes'])) return [];
  const { attributes } = device;
  const id = stringOf(attributes['uuid']);
  // A driver of pooled devices publishes an empty uuid for one that is not attached anywhere.
  if (id === undefined) return [];
  const model = stringOf(attributes['productName']);
  const serialNumber = stringOf(attributes['serialNumber']);
  const more = { ...(model === undefined ? {} : { model }), ...(serialNumber === undefined ? {} : { serialNumber }) };
  return [{ id, name: device['name'], ...more }];
}

function memoryIn(device: unknown, attribute: string): readonly SliceDevice[] {
  if (!isRecord(device) || !isText(device['name']) || !isRecord(device['attributes'])) return [];
  const id = stringOf(device['attributes'][attribute]);
  return id === undefined ? [] : [{ id, name: device['name'], isMemory: true }];
}

function partitioned(device: unknown): readonly SlicePartition[] {
  if (!isRecord(device) || !isText(device['name']) || !isRecord(device['attributes'])) return [];
  const of = stringOf(device['attributes']['parentUUID']);
  return of === undefined ? [] : [{ name: device['name'], of }];
}

function stringOf(attribute: unknown): string | undefined {
  const text = isRecord(attribute) ? attribute['string'] : undefined;
  return isText(text) && text !== '' ? text : undefined;
}

function wrong(path: string, expected: string, found: unknown): Decoded<ResourceSlice> {
  const type = found === null ? 'null' : Array.isArray(found) ? 'a list' : typeof found;
  return { tag: 'malformed', message: `ResourceSlice: ${path} must be ${expected}, found ${type}` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
