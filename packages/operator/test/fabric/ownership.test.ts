import type { ComposableResource } from '@cro/crd-types';
import { expect, test } from 'vitest';
import { claimedByOthers, takenOnNode } from '../../src/fabric/ownership.ts';

function resource(uid: string, status: ComposableResource['status']): ComposableResource {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name: uid, uid, resourceVersion: '1' },
    spec: { type: 'gpu', model: 'm', target_node: 'n' },
    ...(status === undefined ? {} : { status }),
  };
}

const ticket = {
  id: 't',
  op: 'attach',
  provider: 'sunfish',
  version: 1,
  machine: 'm-1',
  holder: 'a',
  phase: 'open',
} as const;

test('a device that a ticket has chosen is claimed before the fabric was asked for it', () => {
  const choosing = resource('a', { state: 'Attaching', operation: { ...ticket, payload: { cdiDeviceId: 'block-1' } } });
  const counting = resource('b', { state: 'Attaching', operation: { ...ticket, payload: { baseline: ['x'] } } });
  const online = resource('c', { state: 'Online', device_id: 'GPU-1', cdi_device_id: 'res-1' });
  expect(claimedByOthers([choosing, counting, online], 'd')).toEqual(['block-1', 'res-1', 'GPU-1']);
  expect(claimedByOthers([choosing, counting, online], 'a')).toEqual(['res-1', 'GPU-1']);
});

test('and what else the choice claims, if it is a list of texts', () => {
  const choosing = (claims: unknown) =>
    resource('a', { state: 'Attaching', operation: { ...ticket, payload: { cdiDeviceId: 'cro-1', claims } } });
  expect(claimedByOthers([choosing(['endpoint-1', 7, ''])], 'd')).toEqual(['endpoint-1', 'cro-1']);
  expect(claimedByOthers([choosing('endpoint-1')], 'd')).toEqual(['cro-1']);
});

test('what a node calls the devices of others is nothing to another node, whose hardware may be called so too', () => {
  const on = (uid: string, node: string, id: string) => {
    const made = resource(uid, { state: 'Online', device_id: id });
    return { ...made, spec: { ...made.spec, target_node: node } };
  };
  const asking = on('a', 'n-0', '');
  const all = [asking, on('b', 'n-0', 'GPU-1'), on('c', 'n-1', 'GPU-2')];
  expect(takenOnNode(all, asking)).toEqual(['GPU-1']);
  expect(claimedByOthers(all, 'a')).toEqual(['GPU-1', 'GPU-2']);
});
