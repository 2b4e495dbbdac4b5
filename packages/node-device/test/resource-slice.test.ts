import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resourceSliceKind, sliceDeviceKeys } from '../src/index.ts';

const metadata = { name: 'worker-0-gpu.nvidia.com', uid: 'u1', resourceVersion: '7', labels: { a: 'b' } };

function decode(spec: unknown) {
  return resourceSliceKind.decode({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata, spec });
}

function gpu(uuid: unknown) {
  return { name: 'gpu-0', attributes: { uuid, productName: { string: 'NVIDIA A100' } } };
}

describe('a ResourceSlice', () => {
  test('keeps its node and the uuids of its devices, and nothing else', () => {
    const outcome = decode({
      driver: 'gpu.nvidia.com',
      nodeName: 'worker-0',
      pool: { name: 'worker-0', generation: 3, resourceSliceCount: 1 },
      devices: [gpu({ string: 'GPU-a' }), gpu({ string: 'GPU-b' })],
    });
    expect(outcome).toEqual({
      tag: 'ok',
      object: {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceSlice',
        metadata: { name: 'worker-0-gpu.nvidia.com', uid: 'u1', resourceVersion: '7' },
        nodeName: 'worker-0',
        deviceIds: ['GPU-a', 'GPU-b'],
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
    expect(decode(spec)).toMatchObject({ tag: 'ok', object: { nodeName: 'n', deviceIds: [] } });
  });

  test.each([{ allNodes: true }, { nodeSelector: {} }, { nodeName: '' }])(
    'of many nodes (%j) counts for none',
    (where) => {
      const outcome = decode({ ...where, devices: [gpu({ string: 'GPU-a' })] });
      expect(outcome.tag === 'ok' && sliceDeviceKeys(outcome.object)).toEqual([]);
    },
  );

  test.each([
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
