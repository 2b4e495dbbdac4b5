import { describe, expect, it } from 'vitest';
import { annotate, bringUp, childrenOf, eventsOf, reasonOf, resourceNamed, takeDown } from './world/acts.ts';
import { USER_AGENT } from './world/names.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { A100, makeWorld, type World } from './world/world.ts';

/* Between the plan that names a child and the object of that name. */

/** Stops the world just before the first child is created, and tells its name and node. */
async function planned(): Promise<{ world: World; name: string; node: string }> {
  const world = await makeWorld();
  const held = world.kube.faults.add({
    match: ({ verb, resource, userAgent }) => verb === 'create' && resource === RESOURCES && userAgent === USER_AGENT,
    when: 'before',
    trouble: { tag: 'delay', ms: 5_000 },
  });
  world.startOperator();
  putRequest(world, 'story', { size: 1 });
  await until(world, 'planned', () => requestOf(world, 'story')?.status?.state === 'Updating');
  held();
  const [entry] = Object.entries(requestOf(world, 'story')?.status?.resources ?? {});
  return { world, name: entry?.[0] ?? '', node: entry?.[1].node_name ?? '' };
}

function child(name: string, details: { label: string; node: string }) {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name, labels: { 'app.kubernetes.io/managed-by': details.label } },
    spec: { type: 'gpu', model: A100, target_node: details.node },
  };
}

describe('the name of a planned child', () => {
  it('that is taken by the same child, from a create whose reply was lost, is taken over', async () => {
    const { world, name, node } = await planned();
    world.kube.objects.put(child(name, { label: 'story', node }));
    await until(world, 'running', () => runsWith(world, 'story', 1));
    expect(childrenOf(world, 'story').map(({ metadata }) => metadata.name)).toEqual([name]);
    expect(world.fabric.calls().attach).toBe(1);
  });

  it('that is taken by a foreign object is a conflict, told, and not touched', async () => {
    const { world, name, node } = await planned();
    // Paused: what its own owner does with it is not what this is about.
    const foreign = child(name, { label: 'other', node });
    world.kube.objects.put({
      ...foreign,
      metadata: { ...foreign.metadata, annotations: { 'cohdi.io/paused': 'true' } },
    });
    await until(world, 'told', () => reasonOf(requestOf(world, 'story')) === 'Conflict', 60_000);
    expect(requestOf(world, 'story')?.status).toMatchObject({
      state: 'Updating',
      error: `a ComposableResource ${name} exists already and is not of this request: delete it, or change the request`,
    });
    expect(eventsOf(world, 'story')).toMatchObject([{ type: 'Warning', reason: 'Conflict', count: 1 }]);
    await world.clock.advance(300_000);
    expect(resourceNamed(world, name)?.metadata).not.toHaveProperty('deletionTimestamp');
    // Once a person took it away, the request goes on.
    annotate(world, RESOURCES, name, { 'cohdi.io/paused': 'false' });
    world.kube.objects.delete(RESOURCES, name);
    await until(world, 'running', () => runsWith(world, 'story', 1), 120_000);
  });
});

describe('a reply that is lost', () => {
  const lost = [
    { what: 'the create of a child', verb: 'create', resource: RESOURCES },
    { what: 'the plan', verb: 'patch', resource: REQUESTS },
    { what: 'the ticket', verb: 'patch', resource: RESOURCES },
  ] as const;

  it.each(lost.flatMap((one) => (['before', 'after'] as const).map((when) => ({ ...one, when }))))(
    'to $what, $when it was done: one child a device, one attach a device',
    async ({ verb, resource, when }) => {
      const world = await makeWorld();
      // Every one of the writes of that kind is struck in a run of its own: the first four are enough to meet them all.
      for (const nth of [1, 2, 3]) {
        const calls = await world.figures.fabricCallsOf(async () => {
          const life = world.startOperator();
          await world.clock.advance(1_000);
          const disarm = world.kube.faults.add({
            match: (seen) => seen.verb === verb && seen.resource === resource && seen.userAgent === USER_AGENT,
            nth,
            when,
            trouble: { tag: 'cut' },
          });
          await bringUp(world, 'story', { size: 2 });
          expect(resourcesOf(world)).toHaveLength(2);
          disarm();
          await takeDown(world, 'story');
          life.kill();
        });
        expect([nth, calls.attach, calls.detach]).toEqual([nth, 2, 2]);
        world.fabric.assertPoolWhole();
      }
    },
  );

  it('to a delete of a child: it goes all the same', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    world.kube.faults.add({
      match: ({ verb, resource }) => verb === 'delete' && resource === RESOURCES,
      when: 'after',
      trouble: { tag: 'cut' },
    });
    await takeDown(world, 'story', 60_000);
    expect(world.fabric.calls().detach).toBe(2);
    world.fabric.assertPoolWhole();
  });
});
