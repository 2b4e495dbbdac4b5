import type { ListedDevice } from '@cro/cdi-core';
import type { DeviceType } from '@cro/crd-types';
import { healthOf } from '../health.ts';
import type { Machine, Resource } from './wire.ts';

/** The composable devices of a machine; its processors and memory modules are left out. */
export function devicesOf(found: Machine, machine: string): ListedDevice[] {
  return (found.resources ?? []).flatMap((resource) => {
    const type = typeOf(resource.res_type);
    return type === undefined ? [] : [deviceOf(resource, type, machine)];
  });
}

function deviceOf(resource: Resource, type: DeviceType, machine: string): ListedDevice {
  const model = modelOf(resource);
  const serial = resource.res_serial_num ?? '';
  return {
    machine,
    type,
    model,
    cdiDeviceId: resource.res_uuid,
    // The Fabric Manager's serial number of a GPU is the UUID that the node knows it by. Empty: it does not know it yet.
    ...(serial === '' ? {} : { deviceId: serial }),
    health: healthOf({
      manager: 'FM',
      type: resource.res_type,
      id: serial || resource.res_uuid,
      machine,
      opStatus: resource.res_op_status,
    }),
    ...(model === '' ? {} : { hints: { model } }),
  };
}

function typeOf(type: string): DeviceType | undefined {
  return type === 'gpu' || type === 'cxlmemory' ? type : undefined;
}

/** The model stands in the condition by which the device was chosen: `column` model, `operator` eq. */
function modelOf(resource: Resource): string {
  const condition = resource.res_spec?.condition?.find(
    ({ column, operator }) => column === 'model' && operator === 'eq',
  );
  return typeof condition?.value === 'string' ? condition.value : '';
}
