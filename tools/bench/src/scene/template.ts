import type { KubeObject } from '@cro/kube-runtime';
import { create, remove, untilGone, untilRunning, untilWritesRest } from './requests.ts';
import type { Scene } from './scene.ts';
import { textAt } from './text-at.ts';

/** A request that the operator brought to Running, and its resources, as they are stored. */
export interface Template {
  readonly request: Stored;
  readonly resources: readonly Stored[];
}

/** An object as it is stored. */
type Stored = Readonly<Record<string, unknown>>;

/** What makes one copy differ from another. */
export interface CopyIds {
  readonly request: string;
  readonly requestUid: string;
  readonly node: string;
  readonly machine: string;
  /** One for each resource. */
  readonly devices: readonly DeviceIds[];
}

/** A resource and its device. */
export interface DeviceIds {
  readonly resource: string;
  readonly resourceUid: string;
  /** The node's word for the device. */
  readonly deviceId: string;
  /** The fabric's word for it. */
  readonly cdiDeviceId: string;
}

const SERVER_SETS: readonly string[] = ['generation', 'resourceVersion', 'managedFields'];

/** Lets the operator make one request of `size`, keeps what it stored, and takes the request back. */
export async function makeTemplate(scene: Scene, size: number): Promise<Template> {
  const name = 'template';
  const { requests, resources } = scene.world;
  await create(scene, name, size);
  await untilRunning(scene, [name]);
  await untilWritesRest(scene);
  const request = requests.get(name);
  if (request === undefined) throw new Error('the request that is to be copied is gone');
  const template = { request: unborn(request), resources: resources.list().map(unborn) };
  await remove(scene, name);
  await untilGone(scene, [name]);
  return template;
}

/** A copy of a template. */
export interface Copy {
  readonly request: object;
  readonly resources: readonly object[];
}

/** A copy of the template with other names and ids. They are changed wherever they stand, in texts too. */
export function copyOf({ request, resources }: Template, ids: CopyIds): Copy {
  const [first] = resources;
  const names = new Map([
    [textAt(request, 'metadata', 'name'), ids.request],
    [textAt(request, 'metadata', 'uid'), ids.requestUid],
    [textAt(first, 'spec', 'target_node'), ids.node],
    [textAt(first, 'status', 'fabric', 'machine'), ids.machine],
  ]);
  resources.forEach((resource, n) => {
    const device = ids.devices[n];
    if (device === undefined) throw new Error(`${resources.length} resources, ${ids.devices.length} devices`);
    names.set(textAt(resource, 'metadata', 'name'), device.resource);
    names.set(textAt(resource, 'metadata', 'uid'), device.resourceUid);
    names.set(textAt(resource, 'status', 'device_id'), device.deviceId);
    names.set(textAt(resource, 'status', 'cdi_device_id'), device.cdiDeviceId);
  });
  const copied = (object: object) =>
    parsed(JSON.stringify(object).replace(/[\w-]+/g, (word) => names.get(word) ?? word));
  return { request: copied(request), resources: resources.map(copied) };
}

/** A copy of an object in which one text stands in place of another. */
export function withText(object: object, text: string, other: string): object {
  return parsed(JSON.stringify(object).replaceAll(text, other));
}

function parsed(text: string): object {
  const copied: unknown = JSON.parse(text);
  if (typeof copied !== 'object' || copied === null) throw new Error('the copy of an object is no object');
  return copied;
}

/** An object without what the API server gives it: a new object has generation 1, which observedGeneration has to fit. */
function unborn({ metadata, ...rest }: KubeObject): Stored {
  const given: readonly (readonly [string, unknown])[] = Object.entries(metadata);
  if (!given.some(([key, value]) => key === 'generation' && value === 1))
    throw new Error('an object to be copied was changed meanwhile');
  return { ...rest, metadata: Object.fromEntries(given.filter(([key]) => !SERVER_SETS.includes(key))) };
}
