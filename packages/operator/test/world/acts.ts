import type { ComposableResource, Condition } from '@cro/crd-types';
import type { JsonObject } from '@cro/kube-sim';
import { putRequest, requestOf, REQUESTS, RESOURCES, resourcesOf, runsWith, until } from './objects.ts';
import type { AnyWorld } from './world.ts';

type Details = Parameters<typeof putRequest>[2];

/** Creates or changes a request and waits until it runs with its size. Answers its resources, by name. */
export async function bringUp(world: AnyWorld, name: string, details: Details): Promise<ComposableResource[]> {
  putRequest(world, name, details);
  const size = details.size ?? 1;
  await until(world, `${name} runs with ${size}`, () => runsWith(world, name, size));
  return childrenOf(world, name);
}

/** Deletes a request and waits until it and its resources are gone. */
export async function takeDown(world: AnyWorld, name: string, limitMs?: number): Promise<void> {
  world.kube.objects.delete(REQUESTS, name);
  const isOver = () => requestOf(world, name) === undefined && childrenOf(world, name).length === 0;
  await until(world, `${name} is gone`, isOver, limitMs);
}

/** The resources of a request. */
export function childrenOf(world: AnyWorld, name: string): ComposableResource[] {
  return resourcesOf(world).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'] === name);
}

/** One resource as it is stored. */
export function resourceNamed(world: AnyWorld, name: string): ComposableResource | undefined {
  return resourcesOf(world).find(({ metadata }) => metadata.name === name);
}

/** The only resource there is. */
export function onlyResource(world: AnyWorld): ComposableResource {
  const [only, ...others] = resourcesOf(world);
  if (only === undefined || others.length > 0) throw new Error(`${resourcesOf(world).length} resources, 1 expected`);
  return only;
}

type WithConditions = { readonly status?: { readonly conditions?: readonly Condition[] } } | undefined;

/** A condition of a request or a resource. */
export function conditionOf(object: WithConditions, type: string): Condition | undefined {
  return object?.status?.conditions?.find((one) => one.type === type);
}

/** The reason of the condition Ready. */
export function reasonOf(object: WithConditions): string | undefined {
  return conditionOf(object, 'Ready')?.reason;
}

/** Virtual milliseconds that something takes. */
export async function timed(world: AnyWorld, work: () => Promise<unknown>): Promise<number> {
  const began = world.clock.monotonic();
  await work();
  return world.clock.monotonic() - began;
}

/** Changes a stored object as `kubectl edit` would; it must be there. */
export function edit(world: AnyWorld, resource: string, name: string, change: (object: JsonObject) => object): void {
  const present = world.kube.objects.get(resource, name);
  if (present === undefined) throw new Error(`there is no ${resource} ${name}`);
  world.kube.objects.put(change(present));
}

/** Sets annotations of an object. */
export function annotate(
  world: AnyWorld,
  resource: string,
  name: string,
  annotations: Readonly<Record<string, string>>,
): void {
  edit(world, resource, name, (object) => {
    const metadata = object['metadata'] as JsonObject;
    const before = (metadata['annotations'] ?? {}) as JsonObject;
    return { ...object, metadata: { ...metadata, annotations: { ...before, ...annotations } } };
  });
}

/** Deletes a resource as a client would. */
export function deleteResource(world: AnyWorld, name: string): void {
  if (!world.kube.objects.delete(RESOURCES, name)) throw new Error(`there is no resource ${name}`);
}

/** Changes the spec of a Node. */
export function editNodeSpec(world: AnyWorld, name: string, spec: object): void {
  edit(world, 'nodes', name, (node) => ({ ...node, spec: { ...(node['spec'] as object), ...spec } }));
}

/** One Kubernetes event, as far as tests look at it. */
export interface SeenEvent {
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

/** The events there are, about one object if it is named. */
export function eventsOf(world: AnyWorld, about?: string): SeenEvent[] {
  const all = world.kube.objects.list('events') as readonly {
    readonly involvedObject: { readonly name: string };
    readonly type: string;
    readonly reason: string;
    readonly message: string;
    readonly count?: number;
  }[];
  return all
    .map(({ involvedObject, type, reason, message, count = 1 }) => ({
      about: involvedObject.name,
      type,
      reason,
      message,
      count,
    }))
    .filter((event) => about === undefined || event.about === about);
}

/** A ResourceClaim of namespace `ml` that was allocated an entry of the slice of a node's NVIDIA driver, for the pod `<name>-0`. */
export function putClaim(world: AnyWorld, name: string, pool: string, device: string): void {
  const result = { request: 'gpu', driver: 'gpu.nvidia.com', pool, device };
  world.kube.objects.put({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'ml' },
    spec: {},
    status: {
      allocation: { devices: { results: [result] } },
      reservedFor: [{ resource: 'pods', name: `${name}-0`, uid: 'u' }],
    },
  });
}
