import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { PodEnds } from '../../src/cluster/pod-ends.ts';
import { simulatedCluster } from '../simulated-cluster.ts';
import { gpuPod, requesting } from './plugin-world.ts';
import { NODE } from './world.ts';

let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

/** Watches the pods of worker-0, after these were made. */
async function podEnds(...pods: readonly object[]) {
  const cluster = simulatedCluster();
  const { kube, clock, signal } = cluster;
  stop = cluster.stop;
  for (const pod of pods) kube.objects.put(pod);
  const asked: string[] = [];
  const transport = inProcessTransport((sent, abort) => {
    asked.push(sent.path);
    return kube.handle(sent, abort);
  });
  const random = () => 0.5;
  const client = new KubeClient({ transport, clock, random });
  const ends = new PodEnds({ client, transport, clock, random, signal });
  const told: string[] = [];
  ends.onFreed((node) => told.push(node));
  ends.watch(new Set([NODE]));
  await clock.advance(0);
  return {
    ...{ ends, asked },
    told: () => told.splice(0),
    put: async (pod: object) => {
      kube.objects.put(pod);
      await clock.advance(0);
    },
    remove: async (name: string) => {
      kube.objects.delete('pods', name, 'ml');
      await clock.advance(0);
    },
    later: () => clock.advance(3_600_000),
  };
}

describe('the end of pods that request GPUs', () => {
  test('is told when one is deleted, or is over, and not when one comes or has none', async () => {
    const { told, put, remove } = await podEnds(gpuPod('a', [requesting('2')]), gpuPod('b', [requesting('1')]));
    told();
    await put(gpuPod('c', [requesting('1')]));
    await put(gpuPod('cpu', [requesting('1', 'example.com/other')]));
    await put({ ...gpuPod('elsewhere', [requesting('1')]), spec: { nodeName: 'worker-1' } });
    await remove('cpu');
    await remove('elsewhere');
    expect(told()).toEqual([]);
    await remove('a');
    expect(told()).toEqual([NODE]);
    await put(gpuPod('b', [requesting('1')], {}, 'Succeeded'));
    expect(told()).toEqual([NODE]);
    await remove('b');
    expect(told()).toEqual([]);
  });

  test('is told once as the watch begins: one may have ended just before', async () => {
    expect((await podEnds()).told()).toEqual([NODE]);
  });

  test('is watched on that node alone, and for no longer than it is waited for', async () => {
    const { ends, told, asked, remove, later } = await podEnds(gpuPod('a', [requesting('1')]));
    told();
    const ofNode = (path: string) =>
      new URL(path, 'http://api').searchParams.get('fieldSelector') === `spec.nodeName=${NODE}`;
    expect(asked.filter((path) => !ofNode(path))).toEqual([]);
    ends.watch(new Set());
    asked.splice(0);
    await remove('a');
    await later();
    expect([told(), asked]).toEqual([[], []]);
  });
});
