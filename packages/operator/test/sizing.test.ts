import { beforeAll, describe, expect, it } from 'vitest';
import { annotate, bringUp, childrenOf, reasonOf, takeDown } from './world/acts.ts';
import { putRequest, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/* Which devices a request keeps when its size changes. One world, whose pool is whole again after each test. */

let world: World;
beforeAll(async () => {
  world = await makeWorld({ devices: 5, nodeActions: { tag: 'none' } });
  world.startOperator();
});

const ids = (children: ReturnType<typeof childrenOf>) =>
  children.map(({ metadata, status }) => [metadata.name, status?.device_id, status?.cdi_device_id]).sort();

/** What an autoscaler wrote; `used` in minutes ago. */
interface Mark {
  readonly annotated?: boolean;
  readonly used?: number;
  readonly text?: string;
}

function annotationsOf({ annotated, used, text }: Mark): Record<string, string> {
  const time = used === undefined ? text : new Date(world.clock.now() - used * 60_000).toISOString();
  return {
    ...(annotated !== undefined && { 'cohdi.io/delete-device': String(annotated) }),
    ...(time !== undefined && { 'cohdi.io/last-used-time': time }),
  };
}

describe('a request that grows', () => {
  it('keeps names and devices of what it has, and gets only what is missing', async () => {
    const before = await bringUp(world, 'grow', { size: 2 });
    const calls = await world.figures.fabricCallsOf(() => bringUp(world, 'grow', { size: 3 }));
    const after = childrenOf(world, 'grow');
    expect(ids(after)).toEqual(expect.arrayContaining(ids(before)));
    expect(after).toHaveLength(3);
    expect(calls).toMatchObject({ attach: 1 });
    expect(calls.detach).toBeUndefined();
    await takeDown(world, 'grow');
  });
});

describe('a request that shrinks', () => {
  const cases: readonly { readonly name: string; readonly marks: readonly Mark[]; readonly goes: readonly number[] }[] =
    [
      { name: 'annotated by the autoscaler first', marks: [{}, { annotated: true, used: 1 }, { used: 90 }], goes: [1] },
      { name: 'the least recently used', marks: [{ used: 10 }, { used: 5 }, { used: 30 }], goes: [2] },
      {
        name: 'annotated, then least recently used',
        marks: [{ used: 5 }, { used: 30 }, { annotated: true }],
        goes: [1, 2],
      },
      {
        name: 'a time that cannot be read counts as its creation',
        marks: [{ used: -60 }, { text: 'yesterday' }, { used: -30 }],
        goes: [1],
      },
      {
        name: 'an annotation other than "true" does not count',
        marks: [{ annotated: false }, { used: 60 }, {}],
        goes: [1],
      },
    ];

  it.each(cases)('gives back $name', async ({ marks, goes }) => {
    const children = await bringUp(world, 'shrink', { size: 3 });
    for (const [index, mark] of marks.entries()) {
      annotate(world, RESOURCES, children[index]?.metadata.name ?? '', annotationsOf(mark));
    }
    // The autoscaler's words have to arrive before the user's: they come by different watches.
    await world.clock.advance(100);
    const stays = children.filter((_, index) => !goes.includes(index));
    putRequest(world, 'shrink', { size: stays.length });
    const isOver = () => runsWith(world, 'shrink', stays.length) && resourcesOf(world).length === stays.length;
    await until(world, 'shrunk', isOver);
    expect(ids(childrenOf(world, 'shrink'))).toEqual(ids(stays));
    await takeDown(world, 'shrink');
    world.fabric.assertPoolWhole();
  });

  it('gives up what has no device yet before what works', async () => {
    await bringUp(world, 'mixed', { size: 4 });
    await bringUp(world, 'other', { size: 1 });
    const works = ids(childrenOf(world, 'mixed'));
    // The pool is empty: the fifth waits.
    putRequest(world, 'mixed', { size: 5 });
    await until(world, 'one waits', () => resourcesOf(world).some((one) => reasonOf(one) === 'Exhausted'));
    putRequest(world, 'mixed', { size: 4 });
    await until(world, 'shrunk', () => runsWith(world, 'mixed', 4) && childrenOf(world, 'mixed').length === 4);
    expect(ids(childrenOf(world, 'mixed'))).toEqual(works);
    await takeDown(world, 'mixed');
    await takeDown(world, 'other');
  });
});

describe('a size of 0', () => {
  it('runs with nothing, and asks nothing of the fabric', async () => {
    const calls = await world.figures.fabricCallsOf(() => bringUp(world, 'none', { size: 0 }));
    expect(calls).toEqual({});
    expect(requestOf(world, 'none')?.status?.resources ?? {}).toEqual({});
    await takeDown(world, 'none');
  });

  it.each(['samenode', 'differentnode'] as const)('gives everything back when it comes later (%s)', async (policy) => {
    await bringUp(world, 'later', { size: 2, allocation_policy: policy });
    await bringUp(world, 'later', { size: 0, allocation_policy: policy });
    await until(world, 'all given back', () => resourcesOf(world).length === 0);
    world.fabric.assertPoolWhole();
    await takeDown(world, 'later');
  });
});
