import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NVIDIA_SLICES, resourceSliceKind, sliceDeviceKeys, sliceKindWith } from '../src/index.ts';

const metadata = { name: 'worker-0-gpu.nvidia.com', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } };

const ofPool = { driver: 'gpu.nvidia.com', pool: { name: 'worker-0', generation: 3, resourceSliceCount: 1 } };

function decode(spec: unknown) {
  return resourceSliceKind.decode({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata, spec });
}

function gpu(uuid: unknown) {
  return { name: 'gpu-0', attributes: { uuid, productName: { string: 'NVIDIA A100' } } };
}

describe('a ResourceSlice', () => {
  test('keeps its node and what tells its devices apart, and nothing else', () => {
    const outcome = decode({
      ...ofPool,
      nodeName: 'worker-0',
      devices: [gpu({ string: 'GPU-a' }), gpu({ string: 'GPU-b' })],
    });
    expect(outcome).toEqual({
      tag: 'ok',
      object: {
        partitions: [],
        ignored: [],
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceSlice',
        metadata: { name: 'worker-0-gpu.nvidia.com', uid: 'u1', resourceVersion: '7' },
        nodeName: 'worker-0',
        driver: 'gpu.nvidia.com',
        pool: 'worker-0',
        generation: 3,
        devices: [
          { id: 'GPU-a', name: 'gpu-0', model: 'NVIDIA A100' },
          { id: 'GPU-b', name: 'gpu-0', model: 'NVIDIA A100' },
        ],
      },
    });
  });

  test.each([
    ['no devices', { nodeName: 'n' }],
    ['null devices', { nodeName: 'n', devices: null }],
    ['a device without attributes', { nodeName: 'n', devices: [{ name: 'x' }] }],
    ['a uuid of another type', { nodeName: 'n', devices: [gpu({ int: 5 })] }],
    ['an empty uuid', { nodeName: 'n', devices: [gpu({ string: '' })] }],
    ['a uuid that is no attribute', { nodeName: 'n', devices: [gpu('GPU-a')] }],
  ])('may have %s', (_, spec) => {
    expect(decode({ ...ofPool, ...spec })).toMatchObject({ tag: 'ok', object: { nodeName: 'n', devices: [] } });
  });

  test('of a GPU that is cut up has its parts, and their own uuids are of no device', () => {
    const part = (name: string, more: object = {}) => ({
      name,
      attributes: {
        type: { string: 'mig' },
        parentUUID: { string: 'GPU-a' },
        productName: { string: 'NVIDIA A100' },
        ...more,
      },
    });
    const devices = [part('gpu-0-mig-1g5gb-19-0', { uuid: { string: 'MIG-1' } }), part('gpu-0-mig-1g5gb-19-1')];
    expect(decode({ ...ofPool, nodeName: 'n', devices })).toMatchObject({
      object: {
        devices: [],
        partitions: [
          { name: 'gpu-0-mig-1g5gb-19-0', of: 'GPU-a', model: 'NVIDIA A100' },
          { name: 'gpu-0-mig-1g5gb-19-1', of: 'GPU-a', model: 'NVIDIA A100' },
        ],
      },
    });
  });

  test('of a GPU that may be passed through to a virtual machine knows that entry by its place on the bus', () => {
    const at = (address: string) => ({ 'resource.kubernetes.io/pciBusID': { string: address } });
    const whole = {
      name: 'gpu-0',
      attributes: { ...at('0000:10:00.0'), type: { string: 'gpu' }, uuid: { string: 'GPU-a' } },
    };
    const vfio = (name: string, address: string) => ({
      name,
      attributes: { ...at(address), type: { string: 'vfio' }, uuid: { string: 'made-up' } },
    });
    const devices = [vfio('gpu-vfio-0', '0000:10:00.0'), whole, vfio('gpu-vfio-1', '0000:20:00.0')];
    expect(decode({ ...ofPool, nodeName: 'n', devices })).toMatchObject({
      object: { devices: [{ id: 'GPU-a', name: 'gpu-0' }], partitions: [{ name: 'gpu-vfio-0', of: 'GPU-a' }] },
    });
  });

  test('of a driver that is not accepted shows nothing; what it lists is remembered to tell of it', () => {
    const part = { name: 'part', attributes: { parentUUID: { string: 'GPU-b' } } };
    const spec = { ...ofPool, driver: 'monitor.example.com', nodeName: 'n', devices: [gpu({ string: 'GPU-a' }), part] };
    expect(decode(spec)).toMatchObject({
      object: { devices: [], partitions: [], ignored: ['GPU-a', 'GPU-b'] },
    });
    const accepting = sliceKindWith({ gpu: [...NVIDIA_SLICES.gpu, 'monitor.example.com'] });
    const both = [decode(ofPool), accepting.decode({ metadata, spec })];
    expect(both).toMatchObject([{ tag: 'ok' }, { object: { devices: [{ id: 'GPU-a' }], ignored: [] } }]);
  });

  test.each([{ allNodes: true }, { nodeSelector: {} }, { nodeName: '' }])(
    'of many nodes (%j) counts for none',
    (where) => {
      const outcome = decode({ ...ofPool, ...where, devices: [gpu({ string: 'GPU-a' })] });
      expect(outcome.tag === 'ok' && sliceDeviceKeys(outcome.object)).toEqual([]);
      expect(outcome).toMatchObject({ object: { devices: [], partitions: [], ignored: [] } });
    },
  );

  test.each([
    [{}, 'ResourceSlice: spec.driver must be a string, found undefined'],
    [{ driver: 'd', pool: 'p' }, 'ResourceSlice: spec.pool must be an object, found string'],
    [{ driver: 'd', pool: { generation: 1 } }, 'ResourceSlice: spec.pool.name must be a string, found undefined'],
    [{ driver: 'd', pool: { name: 'p' } }, 'ResourceSlice: spec.pool.generation must be a number, found undefined'],
    [{ nodeName: 5 }, 'ResourceSlice: spec.nodeName must be a string, found number'],
    [{ devices: {} }, 'ResourceSlice: spec.devices must be a list, found object'],
    [null, 'ResourceSlice: spec must be an object, found null'],
  ])('with spec %j is malformed, and the field is named', (spec, message) => {
    expect(decode(spec)).toEqual({ tag: 'malformed', message });
  });

  test('whatever comes, decoding answers', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(['ok', 'malformed']).toContain(resourceSliceKind.decode(value).tag);
        expect(['ok', 'malformed']).toContain(decode(value).tag);
      }),
    );
  });
});
