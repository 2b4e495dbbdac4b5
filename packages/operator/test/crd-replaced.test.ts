import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, onlyResource, takeDown } from './world/acts.ts';
import { annotateOverApi, applyCrds } from './world/leave.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/* Somebody applies the CRDs of the Go operator under the running one: from then on tickets are dropped by every write. */

const SLOW_MS = 60_000;

function isTold(world: World): boolean {
  return resourcesOf(world).some(({ status }) => status?.error?.includes('is outdated') === true);
}

/** Our CRDs come back, and the request runs with its size. */
async function mended(world: World, size: number): Promise<void> {
  applyCrds(world, 'ours');
  await until(world, 'running', () => runsWith(world, 'story', size), 1_200_000);
}

describe('with nothing open', () => {
  it('what is Online stays, a new device is not asked for, the reason is told, and it goes on by itself', async () => {
    const world = await makeWorld();
    const { operator } = world.startOperator();
    const [first] = await bringUp(world, 'story', { size: 1 });
    applyCrds(world, 'go');
    putRequest(world, 'story', { size: 2 });
    await until(world, 'told', () => isTold(world), 60_000);
    await world.clock.advance(600_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
    expect(operator.notReady().join()).toContain('composableresources.cro.hpsys.ibm.ie.com is outdated');
    await mended(world, 2);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    const kept = childrenOf(world, 'story').find(({ metadata }) => metadata.name === first?.metadata.name);
    expect(kept?.status?.device_id).toBe(first?.status?.device_id);
    await until(world, 'ready', () => operator.notReady().length === 0, 120_000);
  });
});

describe('with an attach under way', () => {
  it.each([
    { what: 'nobody writes', written: false, killed: false },
    { what: 'an autoscaler writes, and the ticket is gone', written: true, killed: false },
    { what: 'nobody writes, and the process dies', written: false, killed: true },
    { what: 'an autoscaler writes, the ticket is gone, and the process dies', written: true, killed: true },
  ])('$what: the device ends up on its resource, and none is attached beside it', async ({ written, killed }) => {
    const world = await makeWorld({ attachMs: SLOW_MS });
    const life = world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'called', () => world.fabric.calls().attach === 1);
    applyCrds(world, 'go');
    if (written) await annotateOverApi(world, onlyResource(world).metadata.name);
    if (killed) {
      life.kill();
      world.startOperator();
    }
    await world.clock.advance(SLOW_MS + 600_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
    world.figures.forget();
    await world.clock.advance(60_000);
    // It does not try the same again and again either.
    expect(world.figures.writes().length).toBeLessThan(10);
    await mended(world, 1);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });
});

describe('with a detach under way', () => {
  it.each([false, true])('an autoscaler writes: %s. It ends, with one call', async (written) => {
    const world = await makeWorld({ detachMs: SLOW_MS });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'called', () => world.fabric.calls().detach === 1);
    applyCrds(world, 'go');
    if (written) await annotateOverApi(world, onlyResource(world).metadata.name);
    await world.clock.advance(SLOW_MS + 600_000);
    applyCrds(world, 'ours');
    await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
    world.fabric.assertPoolWhole();
  });
});
