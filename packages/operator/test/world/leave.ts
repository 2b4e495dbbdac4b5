import { GROUP, LAST_USED_ANNOTATION, VERSION } from '@cro/crd-types';
import { goCrds, LEFT_NODE, writesOf, type Ids, type Leftover, type Write } from '@cro/crd-types/testing';
import { crdManifests } from './manifests.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** A world in which the Go operator has worked under its own CRDs, and is gone. The CRDs of this release are not there yet. */
export async function leftBehind(leftover: Leftover, options: WorldOptions = {}): Promise<World> {
  const world = await makeWorld({ ...options, crds: goCrds });
  const ids = Array.from({ length: leftover.attached }, () => attachByHand(world));
  await world.nodes.settled();
  for (const object of leftover.objects(ids)) {
    const isDeleted =
      leftover.deleted === 'all' || (leftover.deleted === 'resources' && object.kind === 'ComposableResource');
    for (const write of writesOf(object, isDeleted)) await send(world, write);
  }
  return world;
}

/** Attaches a device to the machine of the node, as a call of the Go operator did. */
export function attachByHand(world: World): Ids {
  const machine = world.machines[Number(LEFT_NODE.slice('worker-'.length))] ?? '';
  const id = world.fabric.snapshot().free[0] ?? '';
  world.fabric.move(id, machine);
  const device = world.fabric.attachedTo(machine).find(({ resUuid }) => resUuid === id);
  return { device_id: device?.serial ?? '', cdi_device_id: id };
}

/** Applies the CRDs of this release, or those of the Go operator's shapes. */
export function applyCrds(world: World, whose: 'ours' | 'go'): void {
  for (const crd of whose === 'ours' ? crdManifests() : goCrds) world.kube.objects.put(crd);
}

/** Annotates an object as an autoscaler would: a write through the API server, which drops what its CRD does not know. */
export async function annotateOverApi(world: World, name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { annotations: { [LAST_USED_ANNOTATION]: '2026-01-01T00:00:00Z' } } });
  const path = `/apis/${GROUP}/${VERSION}/composableresources/${name}`;
  await send(world, { method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
}

/** A write to every object, after which each is what its present CRD keeps of it. */
export async function touchAll(world: World): Promise<void> {
  const body = JSON.stringify({ metadata: { annotations: { touched: 'true' } } });
  for (const plural of ['composabilityrequests', 'composableresources']) {
    for (const { metadata } of world.kube.objects.list(`${plural}.${GROUP}`) as unknown as readonly Named[]) {
      const path = `/apis/${GROUP}/${VERSION}/${plural}/${metadata.name}`;
      await send(world, { method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
    }
  }
}

interface Named {
  readonly metadata: { readonly name: string };
}

async function send({ kube }: World, { method, path, contentType, body }: Write): Promise<void> {
  const request = { method, path, headers: { 'content-type': contentType }, ...(body !== undefined && { body }) };
  const { status, body: answer } = await kube.handle(request, new AbortController().signal);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${String(answer)}`);
}
