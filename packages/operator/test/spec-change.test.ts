import { makeGpus } from '@cro/fabric-sim';
import { beforeAll, describe, expect, it } from 'vitest';
import { bringUp, childrenOf, takeDown } from './world/acts.ts';
import { A100, H100 } from './world/names.ts';
import { putRequest, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/* What becomes of the devices of a running request when its spec changes. */

let world: World;
beforeAll(async () => {
  world = await makeWorld({ devices: [...makeGpus(6, A100), ...makeGpus(4, H100, 1)], nodes: 3 });
  world.startOperator();
});

const base = { size: 2, allocation_policy: 'samenode' } as const;
const nodesOf = (name: string) =>
  childrenOf(world, name)
    .map(({ spec }) => spec.target_node)
    .sort();

async function change(from: object, to: object) {
  const before = await bringUp(world, 'story', { ...base, ...from });
  const wanted = { ...base, ...to };
  putRequest(world, 'story', wanted);
  const isOver = () => runsWith(world, 'story', wanted.size) && resourcesOf(world).length === wanted.size;
  await until(world, 'changed', isOver);
  const names = new Set(before.map(({ metadata }) => metadata.name));
  const after = childrenOf(world, 'story');
  const kept = after.filter(({ metadata }) => names.has(metadata.name)).length;
  return { before, after, kept };
}

describe('a changed spec', () => {
  it.each([
    { what: 'model', from: {}, to: { model: H100 } },
    { what: 'force_detach', from: {}, to: { force_detach: true } },
  ])('replaces every device: $what', async ({ from, to }) => {
    const { kept, after } = await change(from, to);
    expect(kept).toBe(0);
    for (const { spec } of after) expect(spec).toMatchObject(to);
    expect(requestOf(world, 'story')?.status?.scalarResource).toMatchObject(to);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('moves to another target node', async () => {
    const { kept } = await change({ target_node: 'worker-0' }, { target_node: 'worker-1' });
    expect(kept).toBe(0);
    expect(nodesOf('story')).toEqual(['worker-1', 'worker-1']);
    await takeDown(world, 'story');
  });

  it('stays where it is when its own node becomes the target', async () => {
    const before = await bringUp(world, 'story', base);
    const node = before[0]?.spec.target_node ?? '';
    const { kept } = await change({}, { target_node: node });
    expect(kept).toBe(2);
    await takeDown(world, 'story');
  });

  it('from samenode to differentnode keeps one and spreads the rest', async () => {
    const { kept } = await change({}, { allocation_policy: 'differentnode' });
    expect(kept).toBe(1);
    expect(new Set(nodesOf('story')).size).toBe(2);
    await takeDown(world, 'story');
  });

  it('from differentnode to samenode keeps one and joins the rest to it', async () => {
    const { kept, after, before } = await change({ allocation_policy: 'differentnode' }, {});
    expect(kept).toBe(1);
    const stayed = before.find(({ metadata }) => after.some((one) => one.metadata.name === metadata.name));
    expect(nodesOf('story')).toEqual([stayed?.spec.target_node, stayed?.spec.target_node]);
    await takeDown(world, 'story');
  });

  it('that says the same in other words moves nothing and writes nothing but that it was seen', async () => {
    await bringUp(world, 'story', base);
    const { kept } = await change({}, { force_detach: false });
    expect(kept).toBe(2);
    await takeDown(world, 'story');
  });

  it('in the middle of attaching ends with the new size, not with both', async () => {
    putRequest(world, 'story', { ...base, size: 2 });
    await until(world, 'planned', () => Object.keys(requestOf(world, 'story')?.status?.resources ?? {}).length === 2);
    putRequest(world, 'story', { ...base, size: 3 });
    await until(world, 'running with three', () => runsWith(world, 'story', 3));
    expect(childrenOf(world, 'story')).toHaveLength(3);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });
});
