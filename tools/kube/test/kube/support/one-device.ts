import { requestKind } from '@cro/demo';
import { expect } from 'vitest';
import { untilGone, untilRunning } from './waits.ts';
import { MODEL, type World } from './world.ts';

/** Asks for one device, or so many on one node. */
export async function ask({ client }: World, name: string, size = 1): Promise<void> {
  const resource = { type: 'gpu', model: MODEL, size };
  const outcome = await client.create(requestKind, { metadata: { name }, spec: { resource } });
  expect(outcome).toMatchObject({ tag: 'done' });
}

/** Asks for another number of devices. */
export async function askFor({ client }: World, name: string, size: number): Promise<void> {
  const value = { spec: { resource: { size } } };
  expect(await client.patch(requestKind, { name }, { type: 'merge', value })).toMatchObject({ tag: 'done' });
}

/** Asks for a request's deletion. */
export async function askBack({ client }: World, name: string): Promise<void> {
  expect(await client.delete(requestKind, { name })).toMatchObject({ tag: 'done' });
}

/** Waits for the device; it is the only one on any machine, and its resource is the only one. */
export async function untilThere(world: World, name: string): Promise<void> {
  await untilRunning(world, name, 1);
  const attached = Object.values(world.fabric.snapshot().machines).flat();
  expect(attached).toEqual(world.caches.resources.list().map(({ status }) => status?.cdi_device_id));
}

/** Waits until everything that belonged to the request is gone, and all devices are in the pool. */
export async function untilBack(world: World, name: string): Promise<void> {
  await untilGone(world, name);
  world.fabric.assertPoolWhole();
}
