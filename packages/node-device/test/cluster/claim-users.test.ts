import { afterEach, describe, expect, test } from 'vitest';
import { NODE, nodeWorld } from './world.ts';

const DRIVER = 'gpu.nvidia.com';
let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

/** Who uses GPU-a of worker-0, by these slices and claims. */
async function users(...objects: readonly object[]) {
  const world = await nodeWorld(objects);
  stop = world.stop;
  const device = { node: NODE, deviceId: 'GPU-a', resource: 'gpu-1' };
  const found = await world.nodes.usersOf(device, world.signal);
  expect(world.nodes.allocatedTo(device)).toEqual(found);
  return found;
}

function slice(devices: Readonly<Record<string, object>>, node = NODE, driver = DRIVER) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${node}-${driver}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: Object.entries(devices).map(([name, attributes]) => ({ name, attributes })),
    },
  };
}

function claim(name: string, device: string, pods: readonly string[], more: object = {}) {
  const result = { request: 'gpu', driver: DRIVER, pool: NODE, device, ...more };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'ml' },
    spec: {},
    status: {
      allocation: { devices: { results: [result] } },
      reservedFor: pods.map((pod) => ({ resource: 'pods', name: pod, uid: pod })),
    },
  };
}

const gpu = (uuid: string) => ({ uuid: { string: uuid } });
const part = (uuid: string, parent: string) => ({ uuid: { string: uuid }, parentUUID: { string: parent } });

describe('who uses a device by its ResourceClaims', () => {
  const shown = slice({ 'gpu-0': gpu('GPU-a'), 'gpu-1': gpu('GPU-b'), 'gpu-0-mig-1': part('MIG-1', 'GPU-a') });

  test('nobody', async () => {
    const unallocated = { ...claim('waiting', 'gpu-0', []), status: {} };
    expect(await users(shown, claim('other', 'gpu-1', ['p']), unallocated)).toEqual({ tag: 'idle' });
  });

  test('a pod, which is named with its claim', async () => {
    const by = 'ResourceClaim ml/train (pod a, pod b)';
    expect(await users(shown, claim('train', 'gpu-0', ['b', 'a']))).toEqual({ tag: 'inUse', by });
  });

  test('a user that calls itself something that no pod can be called is told on one line', async () => {
    const found = await users(shown, claim('train', 'gpu-0', [`\u001b[2J\u202e\n${'x'.repeat(10_000)}`]));
    const by = expect.stringMatching(/^ResourceClaim ml\/train \(pod \[2J x{200,260}…\)$/) as unknown;
    expect(found).toEqual({ tag: 'inUse', by });
  });

  test('a pod that is about to come', async () => {
    const by = 'ResourceClaim ml/train (reserved for nobody yet)';
    expect(await users(shown, claim('train', 'gpu-0', []))).toEqual({ tag: 'inUse', by });
  });

  test('a pod that has a part of it', async () => {
    const by = 'ResourceClaim ml/small (pod p)';
    expect(await users(shown, claim('small', 'gpu-0-mig-1', ['p']))).toEqual({ tag: 'inUse', by });
  });

  test('one that has a device of that name on another node, or of another driver, does not', async () => {
    const elsewhere = claim('elsewhere', 'gpu-0', ['p'], { pool: 'worker-1' });
    const foreign = claim('foreign', 'gpu-0', ['p'], { driver: 'nic.example.com' });
    expect(await users(shown, slice({ 'gpu-0': gpu('GPU-c') }, 'worker-1'), elsewhere, foreign)).toEqual({
      tag: 'idle',
    });
  });

  test('one that has it as another driver lists it, which is not accepted, does not', async () => {
    const monitor = slice({ 'dev-0': gpu('GPU-a') }, NODE, 'monitor.example.com');
    const watching = claim('watching', 'dev-0', ['p'], { driver: 'monitor.example.com' });
    expect(await users(shown, monitor, watching)).toEqual({ tag: 'idle' });
  });

  test('a monitor with admin access does not', async () => {
    expect(await users(shown, claim('monitor', 'gpu-0', ['dcgm'], { adminAccess: true }))).toEqual({ tag: 'idle' });
  });

  test('many, of which three are named', async () => {
    const claims = ['d', 'c', 'b', 'a'].map((name) => claim(name, 'gpu-0', ['p']));
    const by = ['a', 'b', 'c'].map((name) => `ResourceClaim ml/${name} (pod p)`).join(', ');
    expect(await users(shown, ...claims)).toEqual({ tag: 'inUse', by: `${by} and 1 more` });
  });

  test('while the node does not show it, a claim on a GPU that is hidden too may be on it', async () => {
    const others = slice({ 'gpu-1': gpu('GPU-b') });
    expect(await users(others, claim('train', 'gpu-0', ['p']), claim('other', 'gpu-1', ['q']))).toEqual({
      tag: 'inUse',
      by: 'ResourceClaim ml/train (pod p), whose device node worker-0 does not show at present',
    });
    expect(await users(claim('train', 'gpu-0', ['p']))).toMatchObject({ tag: 'inUse' });
    expect(await users(others, claim('other', 'gpu-1', ['q']))).toEqual({ tag: 'idle' });
  });
});
