import type { Device, Machine } from '../pool/device.ts';

/** A condition on a device's model, FM's only one. */
export interface ModelCondition {
  readonly column: 'model';
  readonly operator: 'eq';
  readonly value: string;
}

/** A device as FM shows it. `res_serial_num` is the GPU's UUID. */
export function deviceView(device: Device) {
  const condition: ModelCondition[] = [{ column: 'model', operator: 'eq', value: device.model }];
  return {
    res_uuid: device.resUuid,
    res_name: device.name,
    res_type: device.type,
    res_status: 0,
    res_op_status: device.opStatus,
    res_serial_num: device.serial,
    res_spec: { condition },
  };
}

/** A machine as the answer to a change shows it. */
export function changedMachineView(machine: Machine, tenant: string, devices: readonly Device[]) {
  return {
    fabric_uuid: machine.fabricUuid,
    fabric_id: machine.fabricId,
    mach_uuid: machine.machUuid,
    mach_id: machine.machId,
    mach_name: machine.name,
    tenant_uuid: tenant,
    resources: devices.map(deviceView),
  };
}

/** A machine as a read shows it. */
export function machineView(machine: Machine, tenant: string, devices: readonly Device[]) {
  return { ...changedMachineView(machine, tenant, devices), mach_status: 0, mach_status_detail: '' };
}
