import type { AttachedDevice } from '@cro/cdi-core';
import type { NecConfig } from './config.ts';
import { healthOf, hintsOf, uuidOf, withPrefix } from './gpu.ts';
import type { Resource } from './wire.ts';

/** A GPU as the contract has it. CDIM rarely knows what the node calls it: then the hints have to do. */
export function attachedOf(
  resource: Resource,
  { provisionalGpuUuid }: Pick<NecConfig, 'provisionalGpuUuid'>,
): AttachedDevice {
  const { device } = resource;
  const provisional = provisionalGpuUuid === undefined ? undefined : withPrefix(provisionalGpuUuid);
  const deviceId = uuidOf(device) ?? provisional;
  return {
    cdiDeviceId: device.deviceID,
    ...(deviceId === undefined ? {} : { deviceId }),
    health: healthOf(resource),
    hints: hintsOf(device),
  };
}
