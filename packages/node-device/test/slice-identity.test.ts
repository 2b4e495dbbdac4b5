import { afterEach, beforeEach, expect, test } from 'vitest';
import { sliceIdentity, type Identity, type IdentityQuestion } from '../src/index.ts';
import { simulatedCluster, type SimulatedCluster } from './simulated-cluster.ts';

let cluster: SimulatedCluster;
let identity: Identity;

beforeEach(() => {
  cluster = simulatedCluster();
  identity = sliceIdentity({ cache: cluster.startWatch() });
});

afterEach(() => {
  cluster.stop();
});

interface Shown {
  readonly uuid?: string;
  readonly parentUUID?: string;
  readonly productName?: string;
  readonly serialNumber?: string;
}

async function publish(node: string, devices: readonly Shown[], driver = 'gpu.nvidia.com'): Promise<void> {
  cluster.kube.objects.put({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `slice-${node}-${driver}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: devices.map((attributes, n) => ({
        name: `gpu-${n}`,
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key, { string: value as string }]),
        ),
      })),
    },
  });
  await cluster.clock.advance(5_000);
}

const ask = (changes: Partial<IdentityQuestion>) =>
  identity.find({
    node: 'worker-0',
    resource: 'gpu-1',
    hints: { model: 'NVIDIA-A100-PCIE-80GB' },
    before: [],
    taken: [],
    ...changes,
  });
const found = (deviceId: string) => ({ tag: 'identified', deviceId });

const a100 = (uuid: string): Shown => ({ uuid, productName: 'NVIDIA A100-PCIE-80GB' });

test('before anything was read nobody knows what a node shows; after that it is known, also when it shows nothing', async () => {
  expect(identity.shownBy('worker-0')).toBeUndefined();
  await publish('worker-0', [a100('GPU-a'), a100('GPU-b')]);
  expect(identity.shownBy('worker-0')).toEqual(['GPU-a', 'GPU-b']);
  expect(identity.shownBy('worker-1')).toEqual([]);
});

test('the one new GPU of the model is the one', async () => {
  await publish('worker-0', [a100('GPU-old'), a100('GPU-new'), { uuid: 'GPU-x', productName: 'NVIDIA H100' }]);
  expect(ask({ before: ['GPU-old'] })).toEqual(found('GPU-new'));
  expect(ask({ taken: ['GPU-old'] })).toEqual(found('GPU-new'));
});

test('none is waited for, and of two none is chosen', async () => {
  await publish('worker-0', [a100('GPU-old')]);
  await publish('worker-1', [a100('GPU-elsewhere')]);
  expect(ask({ before: ['GPU-old'] })).toMatchObject({
    tag: 'notYet',
    message: expect.stringContaining('waiting') as string,
  });
  await publish('worker-0', [a100('GPU-old'), a100('GPU-b'), a100('GPU-c')]);
  expect(ask({ before: ['GPU-old'] })).toMatchObject({
    tag: 'notYet',
    message: expect.stringContaining('2 new GPUs') as string,
  });
  expect(ask({ before: undefined })).toMatchObject({ tag: 'notYet' });
});

test('a serial number or UUID is stronger than what is new', async () => {
  await publish('worker-0', [{ ...a100('GPU-b'), serialNumber: '165' }, a100('GPU-c')]);
  expect(ask({ hints: { serialNumber: '165' }, before: undefined })).toEqual(found('GPU-b'));
  expect(ask({ hints: { uuid: 'C' }, before: undefined })).toEqual(found('GPU-c'));
  expect(ask({ hints: { serialNumber: '165' }, taken: ['GPU-b'] })).toEqual(found('GPU-c'));
});

test('a new GPU that is cut up is one, and its parts are none', async () => {
  const part = (uuid: string): Shown => ({ uuid, parentUUID: 'GPU-new', productName: 'NVIDIA A100-PCIE-80GB' });
  await publish('worker-0', [a100('GPU-old'), part('MIG-1'), part('MIG-2')]);
  expect(identity.shownBy('worker-0')?.toSorted()).toEqual(['GPU-new', 'GPU-old']);
  expect(ask({ before: ['GPU-old'] })).toEqual(found('GPU-new'));
});

test('what a driver shows that is not accepted is nobody', async () => {
  await publish('worker-0', [a100('GPU-old')]);
  await publish('worker-0', [a100('GPU-old'), a100('GPU-new')], 'monitor.example.com');
  expect(identity.shownBy('worker-0')).toEqual(['GPU-old']);
  expect(ask({ before: ['GPU-old'] })).toMatchObject({ tag: 'notYet' });
  expect(ask({ before: ['GPU-old'], hints: { uuid: 'GPU-new' } })).toMatchObject({ tag: 'notYet' });
});
