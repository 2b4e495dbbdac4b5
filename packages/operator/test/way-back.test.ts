import { describe, expect, it } from 'vitest';
import { goRequestStep, goStep } from './world/go-model.ts';
import { applyCrds, touchAll } from './world/leave.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/** The Go operator that is played here runs no commands on nodes, either. */
const NONE = { tag: 'none' } as const;

/*
 * The Go operator comes back. This one is killed at each request of a story, another one drains, and the CRDs of the Go operator's
 * shapes are applied: what it then reads must lead it neither to a second device nor away from one.
 */

const SLOW_MS = 5_000;

interface Story {
  readonly name: string;
  /** Brings the world to where the story begins. */
  readonly before: (world: World) => Promise<void>;
  readonly begin: (world: World) => void;
  readonly isOver: (world: World) => boolean;
  /** How many devices the Go operator has to end with. */
  readonly devices: number;
}

const nothing = async (): Promise<void> => undefined;
const runs = (size: number) => (world: World) => runsWith(world, 'story', size) && resourcesOf(world).length === size;
const grown = (size: number) => async (world: World) => {
  putRequest(world, 'story', { size });
  await until(world, 'running', () => runs(size)(world));
};

const STORIES: readonly Story[] = [
  {
    name: 'a new request of two',
    before: nothing,
    begin: (world) => {
      putRequest(world, 'story', { size: 2 });
    },
    isOver: runs(2),
    devices: 2,
  },
  {
    name: 'a request that shrinks',
    before: grown(2),
    begin: (world) => {
      putRequest(world, 'story', { size: 1 });
    },
    isOver: runs(1),
    devices: 1,
  },
  {
    name: 'a request that is deleted',
    before: grown(1),
    begin: (world) => {
      world.kube.objects.delete(REQUESTS, 'story');
    },
    isOver: (world) => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0,
    devices: 0,
  },
];

function isOfInterest(what: string): boolean {
  return !what.includes('watch=') && !what.includes('/events');
}

/** Tells the story until its end, or until the operator is killed after a request. Answers how many requests were sent. */
async function tell(story: Story, killAfter: number): Promise<{ world: World; sent: number }> {
  const world = await makeWorld({ nodeActions: NONE, attachMs: SLOW_MS, detachMs: SLOW_MS });
  const life = world.startOperator();
  await story.before(world);
  let sent = 0;
  let isDead = false;
  world.gates.before = (what) => {
    if (!isOfInterest(what)) return;
    sent += 1;
    if (sent !== killAfter) return;
    // In the middle of what the fabric does, and before the answer of everything else.
    world.clock.after(what.includes('/update') ? SLOW_MS / 2 : 0, () => {
      isDead = true;
      life.kill();
    });
  };
  story.begin(world);
  await until(world, story.name, () => isDead || story.isOver(world));
  world.gates.before = () => undefined;
  return { world, sent };
}

async function drain(world: World): Promise<Life> {
  const life = world.startOperator({ drain: true });
  let isOver = false;
  void life.operator.drained.then(() => {
    isOver = true;
  });
  await until(world, 'drained', () => isOver);
  return life;
}

/** What the Go operator would do that it must not. */
function faultsOf(world: World): string[] {
  const resources = resourcesOf(world);
  const attached = Object.values(world.fabric.snapshot().machines).flat();
  const owners = (id: string) => resources.filter(({ status }) => status?.cdi_device_id === id).length;
  const known = (status: object | undefined) =>
    Object.keys(status ?? {}).every((field) => ['state', 'error', 'device_id', 'cdi_device_id'].includes(field));
  return [
    ...attached.flatMap((id) => (owners(id) === 1 ? [] : `${owners(id)} resources have ${id}, which is attached`)),
    ...resources.flatMap((one) => {
      const step = goStep(one);
      const { name, deletionTimestamp, finalizers } = one.metadata;
      const isHeld = attached.includes(one.status?.cdi_device_id ?? '');
      return [
        ...(known(one.status) ? [] : [`${name} has a field that the Go operator does not know`]),
        ...(step === 'attach' && isHeld ? [`a second device is attached for ${name}`] : []),
        ...(step === 'letGo' && isHeld ? [`the device of ${name} is lost`] : []),
        ...(step === 'detach' && deletionTimestamp === undefined
          ? [`${name} is given back, and nobody asked for it`]
          : []),
        ...(isHeld && finalizers?.length !== 1 ? [`${name} may go while it has a device`] : []),
      ];
    }),
  ];
}

/** How many devices the request has in the end, when the Go operator has done what it wants next. */
function devicesInTheEnd(world: World): number {
  const resources = resourcesOf(world);
  const request = requestOf(world, 'story');
  if (request === undefined) return 0;
  const { plans, creates, deletes } = goRequestStep(request, resources);
  if (request.metadata.deletionTimestamp !== undefined) return 0;
  // It plans with the resources that there are, up to the size.
  if (plans) return request.spec.resource.size;
  const staying = resources.filter(({ metadata }) => !deletes.includes(metadata.name));
  return staying.filter((one) => ['attach', 'keep'].includes(goStep(one))).length + creates.length;
}

describe.each(STORIES)('after a drain, in the middle of $name', (story) => {
  it('the Go operator finds every device, attaches what is missing and nothing else', async () => {
    const { sent } = await tell(story, Infinity);
    expect(sent).toBeGreaterThan(3);
    for (let at = 1; at <= sent; at += 1) {
      const { world } = await tell(story, at);
      (await drain(world)).kill();
      applyCrds(world, 'go');
      await touchAll(world);
      expect([at, faultsOf(world)]).toEqual([at, []]);
      expect([at, devicesInTheEnd(world)]).toEqual([at, story.devices]);
      expect(world.kube.objects.list(RESOURCES).length).toBeLessThanOrEqual(2);
    }
  }, 120_000);
});
