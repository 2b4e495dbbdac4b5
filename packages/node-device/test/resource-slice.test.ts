import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resourceSliceKind, sliceDeviceKeys } from '../src/index.ts';

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

  test.each([{ allNodes: true }, { nodeSelector: {} }, { nodeName: '' }])(
    'of many nodes (%j) counts for none',
    (where) => {
      const outcome = decode({ ...ofPool, ...where, devices: [gpu({ string: 'GPU-a' })] });
      expect(outcome.tag === 'ok' && sliceDeviceKeys(outcome.object)).toEqual([]);
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
