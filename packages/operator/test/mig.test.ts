import { describe, expect, it } from 'vitest';
import { onlyResource, putClaim, reasonOf } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World, type WorldOptions } from './world/world.ts';

/* A GPU that is cut up (MIG): NVIDIA's driver publishes its parts alone. */

const NODE = 'worker-0';
const RULES = 'devicetaintrules.resource.k8s.io';
const MINUTE = 60_000;
const mig = (count: number, set = 0) =>
  Array.from({ length: count }, (_, n) => `MIG-0000000${set}-0000-4000-8000-00000000000${n}`);

interface Cut {
  readonly world: World;
  /** The operator that brought it up. */
  readonly life: Life;
  readonly uuid: string;
  /** Cuts the GPU up. The driver shows it within 2 s. */
  readonly cut: (parts: readonly string[]) => void;
}

/** A device that came to its node and was cut up before the driver published it. */
async function cutUp(parts: readonly string[], options: WorldOptions = {}, more: object = {}): Promise<Cut> {
  const world = await makeWorld({ nodes: 1, publishDelayMs: 2_000, detachMs: 5_000, ...options });
  const life = world.startOperator();
  putRequest(world, 'story', { size: 1, ...more });
  await until(world, 'attached', () => resourcesOf(world).some((one) => reasonOf(one) === 'NotVisible'), MINUTE);
  const uuid = onlyResource(world).status?.device_id ?? '';
  const host = world.nodes.host(NODE);
  const cut: Cut['cut'] = (now) => {
    host.setMig(uuid, now);
  };
  host.look();
  cut(parts);
  await until(world, 'Running', () => runsWith(world, 'story', 1), 10_000);
  return { world, life, uuid, cut };
}

function entries({ kube }: World): readonly string[] {
  const slices = kube.objects.list('resourceslices.resource.k8s.io') as readonly {
    readonly spec: { readonly devices: readonly { readonly name: string }[] };
  }[];
  return slices.flatMap(({ spec }) => spec.devices.map(({ name }) => name)).toSorted();
}

function fenced({ kube }: World): readonly string[] {
  const rules = kube.objects.list(RULES) as readonly {
    readonly spec: { readonly deviceSelector: { readonly device: string } };
  }[];
  return rules.map(({ spec }) => spec.deviceSelector.device).toSorted();
}

function takeBack(world: World): void {
  world.kube.objects.delete(REQUESTS, 'story');
}

function isOver(world: World): boolean {
  return requestOf(world, 'story') === undefined && resourcesOf(world).length === 0;
}

describe('a GPU that is cut up', () => {
  it('comes Online by its parts; all of them are fenced before it leaves, and no rule stays', async () => {
    const { world } = await cutUp(mig(3));
    const parts = ['gpu-0-mig-1g5gb-19-0', 'gpu-0-mig-1g5gb-19-1', 'gpu-0-mig-1g5gb-19-2'];
    expect(entries(world)).toEqual(parts);
    takeBack(world);
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    expect(fenced(world)).toEqual(parts);
    await until(world, 'gone', () => isOver(world));
    expect(fenced(world)).toEqual([]);
    world.fabric.assertPoolWhole();
  });

  it('stays while a claim has one of its parts', async () => {
    const { world } = await cutUp(mig(2));
    putClaim(world, 'small', NODE, 'gpu-0-mig-1g5gb-19-1');
    await world.clock.advance(1_000);
    takeBack(world);
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'InUse');
    expect(onlyResource(world).status?.error).toContain('ResourceClaim ml/small (pod small-0)');
    world.kube.objects.delete('resourceclaims.resource.k8s.io', 'small', 'ml');
    await until(world, 'gone', () => isOver(world), MINUTE);
  });

  it('that is cut up in another way while it cannot leave yet is fenced anew at once, in all parts', async () => {
    const { world, cut } = await cutUp(mig(2), {}, { force_detach: true });
    // No command reaches the node: the device waits behind its fence.
    world.nodes.setKubeletUp(NODE, false);
    takeBack(world);
    await until(world, 'fenced', () => fenced(world).length === 2, MINUTE);
    // By now it is tried again seldom.
    await world.clock.advance(10 * MINUTE);
    cut(mig(4, 1));
    await world.clock.advance(2_500);
    expect(entries(world)).toHaveLength(4);
    expect(fenced(world)).toEqual(entries(world));
    world.nodes.setKubeletUp(NODE, true);
    await until(world, 'gone', () => isOver(world), 10 * MINUTE);
    expect(fenced(world)).toEqual([]);
    world.fabric.assertPoolWhole();
  });

  it('after the process died between two rules is fenced in all parts all the same, and no rule stays', async () => {
    for (let at = 1, more = true; more; at += 1) {
      const { world, life: first } = await cutUp(mig(2));
      let life = first;
      more = false;
      let count = 0;
      world.gates.after = (what) => {
        if (!what.includes('devicetaintrules') || what.startsWith('GET')) return;
        count += 1;
        if (count !== at) return;
        more = true;
        life.kill();
        life = world.startOperator();
      };
      takeBack(world);
      await until(world, `gone after a death at rule ${at}`, () => isOver(world), 10 * MINUTE);
      expect(fenced(world)).toEqual([]);
      world.fabric.assertPoolWhole();
    }
  }, 60_000);
});
