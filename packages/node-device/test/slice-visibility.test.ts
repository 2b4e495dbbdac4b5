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

  test('tells of each device that comes, goes or gets another name, and of no other', async () => {
    const { kube, visibility, heard } = await watching(slice('s0', { nodeName: 'worker-0' }, ['GPU-a', 'GPU-b']));
    kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-b', 'GPU-c']));
    expect(await heard()).toEqual(['worker-0 GPU-a', 'worker-0 GPU-b', 'worker-0 GPU-c']);
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

  test('is that of its parts where a GPU is cut up and has no entry of its own, and tells when these get other names', async () => {
    const cut = (...names: readonly string[]) => {
      const part = (name: string) => ({ name, attributes: { parentUUID: { string: 'GPU-a' } } });
      const { spec, ...rest } = slice('s0', { nodeName: 'worker-0' }, []);
      return { ...rest, spec: { ...spec, devices: names.map(part) } };
    };
    const { kube, visibility, heard } = await watching(cut('gpu-0-mig-1', 'gpu-0-mig-2'));
    expect(visibility.of('worker-0', 'GPU-a')).toBe('visible');
    kube.objects.put(cut('gpu-1-mig-1', 'gpu-1-mig-2'));
    expect(await heard()).toEqual(['worker-0 GPU-a']);
    kube.objects.put(cut());
    expect(await heard()).toEqual(['worker-0 GPU-a']);
    expect(visibility.of('worker-0', 'GPU-a')).toBe('absent');
  });

  test('does not follow a driver that is not accepted, and says which that is and how to accept it', async () => {
    const foreign = slice('m0', { nodeName: 'worker-0', driver: 'monitor.example.com' }, ['GPU-a']);
    const { kube, visibility, heard } = await watching(slice('s0', { nodeName: 'worker-0' }, ['GPU-b']));
    expect(visibility.missing?.('worker-0', 'GPU-a')).toBeUndefined();
    kube.objects.put(foreign);
    expect(await heard()).toEqual(['worker-0 GPU-a']);
    expect(visibility.of('worker-0', 'GPU-a')).toBe('absent');
    const missing = visibility.missing?.('worker-0', 'GPU-a');
    for (const part of ['monitor.example.com', 'gpu.nvidia.com', 'CRO_DRA_DRIVERS']) expect(missing).toContain(part);
    kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-a', 'GPU-b']));
    await heard();
    expect(visibility.missing?.('worker-0', 'GPU-a')).toBeUndefined();
  });

  test('is not given by a pool that is offered to many nodes under the same driver, whatever uuids it lists', async () => {
    const shared = {
      nodeSelector: { nodeSelectorTerms: [] },
      pool: { name: 'a100-fabric0', generation: 9, resourceSliceCount: 1 },
    };
    const { visibility } = await watching(slice('pool', shared, ['GPU-a', '']));
    expect(visibility.of('worker-0', 'GPU-a')).toBe('absent');
    expect(visibility.missing?.('worker-0', 'GPU-a')).toBeUndefined();
  });

  test('is quiet after the listener has left', async () => {
    const { kube, heard, unsubscribe } = await watching();
    unsubscribe();
    kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-a']));
    expect(await heard()).toEqual([]);
  });
});
