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
  if (request === 'unfence') return unfence(device, { resource, services });
  const outcome = await services.nodeSides[resource.spec.type].fence.fence(device);
  if (outcome.tag !== 'unavailable') return { request, ...outcome };
  const { withoutFence } = services;
  const message = `${outcome.message}. ${CONSEQUENCE[withoutFence]}`;
  return { request, ...outcome, message, goOn: withoutFence === 'continue' };
}

/**
 * What may be left behind is told of the object and keeps nothing: the device has left. No save goes before that event, as
 * the object vanishes with its next write. Where it was told already that there is no fence, it says no more.
 */
async function unfence(
  device: FenceRequest,
  { resource, services }: Pick<Performance, 'resource' | 'services'>,
): Promise<ResourceOutcome> {
  const outcome = await services.nodeSides[resource.spec.type].fence.unfence(device);
  if (outcome.tag !== 'leftBehind') return { request: 'unfence', ...outcome };
  const { message } = outcome;
  const isKnown = resource.status?.conditions?.some((one) => one.type === 'Fenced' && one.status === 'False') ?? false;
  if (!isKnown) {
    services.log.warn('a fence may be left behind', { resource: resource.metadata.name, reason: message });
    services.events.event(resource, 'Warning', 'FenceLeftBehind', message);
  }
  return { request: 'unfence', tag: 'done' };
}

const CONSEQUENCE: Readonly<Record<WithoutFence, string>> = {
  refuse: 'Until then the device stays; with CRO_WITHOUT_FENCE=continue it would leave without a fence.',
  continue: 'The device leaves without a fence, as CRO_WITHOUT_FENCE=continue asks for.',
};
