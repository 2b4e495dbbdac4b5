import {
  FINALIZER,
  READY_TO_DETACH_CDI_DEVICE_LABEL,
  READY_TO_DETACH_DEVICE_LABEL,
  type DeviceType,
  resourceKind,
} from '@cro/crd-types';
import { accessTo, type Access } from '@cro/kube-runtime';
import type { Services } from '../services.ts';

/** A device that nobody owns, and where it is. */
export interface UnownedDevice {
  readonly type: DeviceType;
  readonly model: string;
  readonly node: string;
  readonly deviceId: string;
  readonly cdiDeviceId: string;
}

/** What giving back asks of the API server. */
export const givingBack: Access = accessTo(resourceKind, ['create'], {
  without: 'devices that nobody owns are not given back',
  need: 'optional',
});

/** What the API server accepts as the value of a label. */
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

/**
 * Makes the ComposableResource through which a device without an owner goes back, as the Go operator does: it takes the
 * ids from its labels, then deletes itself. Answers whether it stands; a failure is logged and tried again by the caller's
 * next round.
 */
export async function giveBackDevice(
  device: UnownedDevice,
  services: Pick<Services, 'client' | 'log' | 'newId'>,
): Promise<boolean> {
  const { type, model, node, deviceId, cdiDeviceId } = device;
  if (!LABEL_VALUE.test(deviceId) || !LABEL_VALUE.test(cdiDeviceId)) {
    services.log.error('a device that nobody owns has an id that no label can hold: take it back by hand', {
      node,
      deviceId,
      cdiDeviceId,
    });
    return false;
  }
  const object = {
    metadata: {
      name: `${type}-${services.newId()}`,
      labels: {
        ...(deviceId !== '' && { [READY_TO_DETACH_DEVICE_LABEL]: deviceId }),
        ...(cdiDeviceId !== '' && { [READY_TO_DETACH_CDI_DEVICE_LABEL]: cdiDeviceId }),
      },
      finalizers: [FINALIZER],
    },
    spec: { type, model, target_node: node, force_detach: false },
  };
  const outcome = await services.client.create(resourceKind, object);
  if (outcome.tag === 'done') return true;
  const reason = 'error' in outcome ? outcome.error.message : outcome.tag;
  services.log.error('could not make the object that gives a device back', { node, deviceId, cdiDeviceId, reason });
  return false;
}
