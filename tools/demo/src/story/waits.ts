import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import { until } from '../world/until.ts';
import { expect, type StoryContext } from './context.ts';

/** Beyond the fabric's own time, each wait of the story may take this long before it counts as stuck. */
const PATIENCE_MS = 60_000;

/** The resources of the story's request that are not on their way out. */
function living(context: StoryContext): readonly ComposableResource[] {
  return context.world.resources.list().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Waits until the request is Running with `count` devices Online and nothing else left, and checks it against the fabric. */
export async function untilRunning(context: StoryContext, count: number): Promise<ComposabilityRequest> {
  const { clock, world, request: name, pace } = context;
  const request = await until({
    clock,
    what: `request ${name} is Running with ${count} devices`,
    on: [(look) => world.requests.subscribe(look), (look) => world.resources.subscribe(look)],
    value: () => {
      const found = world.requests.get(name);
      const all = world.resources.list();
      const online = living(context).filter(({ status }) => status?.state === 'Online');
      const isThere = found?.status?.state === 'Running' && found.spec.resource.size === count;
      return isThere && online.length === count && all.length === count ? found : undefined;
    },
    standing: () => standing(context),
    withinMs: PATIENCE_MS + (pace.attachMs + pace.detachMs + pace.publishDelayMs) * 4,
    signal: world.trouble,
  });
  checkAgainstFabric(context);
  return request;
}

/** Waits until neither the request nor any resource is left. */
export async function untilGone(context: StoryContext): Promise<void> {
  const { clock, world, request: name, pace } = context;
  await until({
    clock,
    what: `request ${name} and its devices are gone`,
    on: [(look) => world.requests.subscribe(look), (look) => world.resources.subscribe(look)],
    value: () => (world.requests.get(name) === undefined && world.resources.list().length === 0 ? true : undefined),
    standing: () => standing(context),
    withinMs: PATIENCE_MS + (pace.detachMs + pace.publishDelayMs) * 4,
    signal: world.trouble,
  });
}

/** Every device of a resource is attached to its node's machine, and every attached device is a resource's. */
function checkAgainstFabric({ world }: StoryContext): void {
  const owned = world.resources
    .list()
    .map(({ status }) => status?.cdi_device_id ?? '')
    .sort();
  const attached = Object.values(world.fabric.snapshot().machines).flat().sort();
  expect(
    owned.join() === attached.join(),
    `the cluster has the devices [${owned.join(', ')}], the fabric has attached [${attached.join(', ')}]`,
  );
}

function standing({ world, request: name }: StoryContext): string {
  const request = world.requests.get(name);
  const head = `request: ${request?.status?.state ?? 'not there'} ${request?.status?.error ?? ''}`;
  const devices = world.resources.list().map(({ metadata, status }) => {
    return `${metadata.name}: ${status?.state ?? 'new'} ${status?.error ?? ''}`;
  });
  return [head, ...devices].map((text) => text.trim()).join('; ');
}
