import type { Decoded } from '@cro/kube-runtime';
import type { ResourceSlice, SliceDrivers } from './resource-slice.ts';
import { contentOf } from './slice-content.ts';

/** Reads the part of a ResourceSlice that counts; what is of another shape is named by its path. */
export function decodeSlice(value: unknown, drivers: SliceDrivers): Decoded<ResourceSlice> {
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
  const isOfNode = nodeName !== undefined && nodeName !== '';
  const object: ResourceSlice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name, uid, resourceVersion },
    ...(isOfNode && { nodeName }),
    driver,
    pool: pool['name'],
    generation: pool['generation'],
    ...contentOf(devices, { driver, isOfNode }, drivers),
  };
  return { tag: 'ok', object };
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
