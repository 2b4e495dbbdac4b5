import type { Decided } from '../../src/index.ts';
import { bringUp, editNodeSpec, takeDown } from '../world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from '../world/objects.ts';
import { makeWorld, type World, type WorldOptions } from '../world/world.ts';

const SLOW_MS = 5_000;

/** Tells the stories whose decisions a release records. */
export async function tellStories(decided: (step: Decided) => void): Promise<void> {
  const options: WorldOptions = { attachMs: SLOW_MS, detachMs: SLOW_MS, decided };
  for (const story of [growAndShrink, crash, lostCalls, refusals, orphan]) await story(await makeWorld(options));
}

async function growAndShrink(world: World): Promise<void> {
  world.startOperator();
  for (const size of [2, 3, 1, 0]) await bringUp(world, 'story', { size });
  await bringUp(world, 'story', { size: 2, allocation_policy: 'differentnode' });
  await takeDown(world, 'story');
}

async function crash(world: World): Promise<void> {
  for (const op of ['attach', 'detach'] as const) {
    const life = world.startOperator();
    if (op === 'attach') putRequest(world, 'story', { size: 1 });
    else world.kube.objects.delete(REQUESTS, 'story');
    await until(world, op, () => world.fabric.calls()[op] === 1);
    await world.clock.advance(SLOW_MS / 2);
    life.kill();
    const next = world.startOperator();
    const isOver = () => (op === 'attach' ? runsWith(world, 'story', 1) : requestOf(world, 'story') === undefined);
    await until(world, `${op} after a crash`, isOver);
    next.kill();
  }
}

async function lostCalls(world: World): Promise<void> {
  world.startOperator();
  world.fabric.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'beforeChange' } });
  await bringUp(world, 'story', { size: 1 });
  world.fabric.faults.add({ kind: 'detach', effect: { tag: 'loseReply', when: 'afterChange' } });
  await takeDown(world, 'story');
}

async function refusals(world: World): Promise<void> {
  world.startOperator();
  world.fabric.faults.add({ kind: 'attach', times: 2, effect: { tag: 'exhausted' } });
  editNodeSpec(world, 'worker-0', { unschedulable: true });
  editNodeSpec(world, 'worker-1', { unschedulable: true });
  putRequest(world, 'story', { size: 1 });
  await world.clock.advance(60_000);
  editNodeSpec(world, 'worker-0', { unschedulable: false });
  await until(world, 'running', () => runsWith(world, 'story', 1));
  await takeDown(world, 'story');
}

async function orphan(world: World): Promise<void> {
  world.startOperator();
  world.fabric.move(world.fabric.snapshot().free[0] ?? '', world.machines[0]);
  await until(world, 'given back', () => world.fabric.calls().detach === 1 && resourcesOf(world).length === 0);
}
