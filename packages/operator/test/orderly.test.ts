import { DRA_PLUGIN, NODE_AGENT, sliceName, type Equipment } from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { makeWorld, settled } from './world/world.ts';

describe('a world whose nodes have hardware', () => {
  it('tells when the fabric takes a GPU that its node has not let go, though the pool is whole', async () => {
    const world = await makeWorld({ nodes: 1, devices: 1, equipment: {}, nodeActions: { tag: 'none' } });
    const [machine = ''] = world.machines;
    const [device = ''] = world.fabric.snapshot().free;
    world.fabric.move(device, machine);
    await settled(world.clock, world.nodes.settled());
    world.fabric.move(device, undefined);
    expect(() => {
      world.fabric.assertPoolWhole();
    }).toThrow(/worker-0: GPU-.* pulledWhileOpen, held by nvidia, persistence mode, nvidia-persiste\[/);
  });

  it('has pods through which commands reach the driver, and a DRA driver that has to be restarted', async () => {
    const equipment: Equipment = {
      pods: [NODE_AGENT],
      daemonSets: [DRA_PLUGIN],
      publisher: 'afterRestart',
      restartMs: 2_000,
      host: { driver: 'host' },
    };
    const { kube, nodes, fabric, machines, clock } = await makeWorld({ nodes: 1, devices: 1, equipment });
    const [device = ''] = fabric.snapshot().free;
    fabric.move(device, machines[0]);
    nodes.host('worker-0').look();
    const devices = () => {
      const slice = kube.objects.get('resourceslices.resource.k8s.io', sliceName('worker-0'));
      return JSON.stringify(slice).match(/GPU-/gu)?.length ?? 0;
    };
    await clock.advance(60_000);
    expect(devices()).toBe(0);
    const path = `/api/v1/namespaces/${DRA_PLUGIN.namespace}/pods/${DRA_PLUGIN.name}-worker-0-0`;
    await kube.handle({ method: 'DELETE', path, headers: {} }, new AbortController().signal);
    await clock.advance(2_000);
    expect(devices()).toBe(1);
  });
});
