import { afterEach, describe, expect, test } from 'vitest';
import { sliceVisibility } from '../src/index.ts';
import { simulatedCluster, slice } from './simulated-cluster.ts';

const SLICES = 'resourceslices.resource.k8s.io';

describe('visibility by ResourceSlices', () => {
  let stop: () => void = () => undefined;

  afterEach(() => {
    stop();
  });

  async function watching(...present: readonly object[]) {
    const cluster = simulatedCluster();
    stop = cluster.stop;
    for (const object of present) cluster.kube.objects.put(object);
    const cache = cluster.startWatch();
    const visibility = sliceVisibility({ cache });
    const before = visibility.of('worker-0', 'GPU-a');
    await cache.whenSynced(cluster.signal);
    const changes: string[] = [];
    const unsubscribe = visibility.onChange((node, deviceId) => changes.push(`${node} ${deviceId}`));
    const heard = async () => {
      await cluster.clock.advance(1000);
      return changes.splice(0).sort();
    };
    return { kube: cluster.kube, visibility, before, heard, unsubscribe };
  }

  test('is unknown until the slices are known', async () => {
    const { before, visibility } = await watching(slice('s0', { nodeName: 'worker-0' }, ['GPU-a']));
    expect(before).toBe('unknown');
    expect(visibility.of('worker-0', 'GPU-a')).toBe('visible');
    expect(visibility.of('worker-0', 'GPU-b')).toBe('absent');
    expect(visibility.of('worker-1', 'GPU-a')).toBe('absent');
  });

  test('tells of each device that comes or goes, and of no other', async () => {
    const { kube, visibility, heard } = await watching(slice('s0', { nodeName: 'worker-0' }, ['GPU-a', 'GPU-b']));
    kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-b', 'GPU-c']));
    expect(await heard()).toEqual(['worker-0 GPU-a', 'worker-0 GPU-c']);
    expect(visibility.of('worker-0', 'GPU-a')).toBe('absent');
    expect(visibility.of('worker-0', 'GPU-c')).toBe('visible');
    kube.objects.put(slice('s0', { nodeName: 'worker-0', pool: { name: 's0', generation: 2 } }, ['GPU-b', 'GPU-c']));
    expect(await heard()).toEqual([]);
    kube.objects.delete(SLICES, 's0');
    expect(await heard()).toEqual(['worker-0 GPU-b', 'worker-0 GPU-c']);
  });

  test('counts slices of many nodes for none', async () => {
    const { kube, visibility, heard } = await watching(slice('pool', { allNodes: true }, ['GPU-a']));
    expect(visibility.of('worker-0', 'GPU-a')).toBe('absent');
    kube.objects.put(slice('pool', { nodeSelector: { nodeSelectorTerms: [] } }, ['GPU-b']));
    expect(await heard()).toEqual([]);
    kube.objects.put(slice('pool', { nodeName: 'worker-0' }, ['GPU-b']));
    expect(await heard()).toEqual(['worker-0 GPU-b']);
  });

  test('holds while one of two slices still has the device', async () => {
    const nodeName = 'worker-0';
    const { kube, visibility } = await watching(
      slice('a', { nodeName }, ['GPU-a']),
      slice('b', { nodeName }, ['GPU-a']),
    );
    expect(visibility.of(nodeName, 'GPU-a')).toBe('visible');
    kube.objects.delete(SLICES, 'a');
    expect(visibility.of(nodeName, 'GPU-a')).toBe('visible');
  });

  test('is quiet after the listener has left', async () => {
    const { kube, heard, unsubscribe } = await watching();
    unsubscribe();
    kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-a']));
    expect(await heard()).toEqual([]);
  });
});
