import { expect, test } from 'vitest';
import { copyOf } from '../src/scene/template.ts';

const request = {
  kind: 'ComposabilityRequest',
  metadata: { name: 'template', uid: 'uid-r' },
  status: { resources: { 'gpu-a': { state: 'Online', device_id: 'GPU-1', node_name: 'worker-1' } } },
};
const resource = {
  kind: 'ComposableResource',
  metadata: { name: 'gpu-a', uid: 'uid-a', ownerReferences: [{ name: 'template', uid: 'uid-r' }] },
  spec: { target_node: 'worker-1' },
  status: {
    device_id: 'GPU-1',
    cdi_device_id: 'res-1',
    fabric: { machine: 'mach-1' },
    message: 'on worker-1, not worker-12',
  },
};

test('a copy has the new names and ids wherever they stand, and nothing else changes', () => {
  const ids = { request: 'request-7', requestUid: 'uid-7', node: 'worker-9', machine: 'mach-9' };
  const devices = [{ resource: 'gpu-z', resourceUid: 'uid-z', deviceId: 'GPU-9', cdiDeviceId: 'res-9' }];
  expect(copyOf({ request, resources: [resource] }, { ...ids, devices })).toEqual({
    request: {
      kind: 'ComposabilityRequest',
      metadata: { name: 'request-7', uid: 'uid-7' },
      status: { resources: { 'gpu-z': { state: 'Online', device_id: 'GPU-9', node_name: 'worker-9' } } },
    },
    resources: [
      {
        kind: 'ComposableResource',
        metadata: { name: 'gpu-z', uid: 'uid-z', ownerReferences: [{ name: 'request-7', uid: 'uid-7' }] },
        spec: { target_node: 'worker-9' },
        status: {
          device_id: 'GPU-9',
          cdi_device_id: 'res-9',
          fabric: { machine: 'mach-9' },
          message: 'on worker-9, not worker-12',
        },
      },
    ],
  });
});

test('a copy with too few devices is refused', () => {
  const ids = { request: 'r', requestUid: 'u', node: 'n', machine: 'm', devices: [] };
  expect(() => copyOf({ request, resources: [resource] }, ids)).toThrow('1 resources, 0 devices');
});
