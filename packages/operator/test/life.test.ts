import { describe, expect, it } from 'vitest';
import { A100, makeWorld, type World } from './world/world.ts';

const REQUESTS = 'composabilityrequests.cro.hpsys.ibm.ie.com';
const RESOURCES = 'composableresources.cro.hpsys.ibm.ie.com';

function put(world: World, name: string, size: number): void {
  world.kube.objects.put({
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposabilityRequest',
    metadata: { name },
    spec: { resource: { type: 'gpu', model: A100, size } },
  });
}

function stateOf(world: World, name: string): unknown {
  return (world.kube.objects.get(REQUESTS, name) as { status?: { state?: string } } | undefined)?.status?.state;
}

describe('the life of a request', () => {
  it('attaches two devices on one node, and gives them back', async () => {
    const world = await makeWorld();
    world.startOperator();
    put(world, 'two', 2);
    const running = await world.clock.runUntil(() => stateOf(world, 'two') === 'Running', 60_000);
    if (!running)
      console.log(
        JSON.stringify([world.log, world.kube.objects.list(REQUESTS), world.kube.objects.list(RESOURCES)], null, 1),
      );
    expect(running).toBe(true);
    console.log(world.clock.monotonic(), world.fabric.calls());
    world.kube.objects.delete(REQUESTS, 'two');
    const gone = await world.clock.runUntil(() => world.kube.objects.get(REQUESTS, 'two') === undefined, 60_000);
    if (!gone)
      console.log(
        JSON.stringify([world.log, world.kube.objects.list(REQUESTS), world.kube.objects.list(RESOURCES)], null, 1),
      );
    expect(gone).toBe(true);
    world.fabric.assertPoolWhole();
    console.log(world.log.map((line) => JSON.stringify(line)).join('\n'));
  });
});
