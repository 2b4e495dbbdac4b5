import type { FenceRequest } from '@cro/node-device';
import type { ResourceOutcome } from '@cro/state-machines';
import type { WithoutFence } from '../wiring/device-fence.ts';
import type { Performance } from './perform-fabric.ts';

/** Keeps new pods from a device that leaves, as far as the cluster can, or lets them have it again. */
export async function performFence(
  request: 'fence' | 'unfence',
  { resource, services }: Performance,
): Promise<ResourceOutcome> {
  const { name, uid } = resource.metadata;
  const device: FenceRequest = {
    node: resource.spec.target_node,
    deviceId: resource.status?.device_id ?? '',
    resource: { name, uid },
  };
  if (request === 'unfence') return { request, ...(await services.fence.unfence(device)) };
  const outcome = await services.fence.fence(device);
  if (outcome.tag !== 'unavailable') return { request, ...outcome };
  const { withoutFence } = services;
  const message = `${outcome.message}. ${CONSEQUENCE[withoutFence]}`;
  return { request, ...outcome, message, goOn: withoutFence === 'continue' };
}

const CONSEQUENCE: Readonly<Record<WithoutFence, string>> = {
  refuse: 'Until then the device stays; with CRO_WITHOUT_FENCE=continue it would leave without a fence.',
  continue: 'The device leaves without a fence, as CRO_WITHOUT_FENCE=continue asks for.',
};
