import type { Machine } from '../pool/device.ts';
import type { CmDevice } from './book.ts';
import type { CmContext } from './context.ts';
import { specsOf, type Spec } from './specs.ts';

/** A machine with its specs and their devices, as CM shows it. */
export function machineView(context: CmContext, machine: Machine) {
  const { pool, tenant, cluster } = context;
  const resspecs = specsOf(pool).map((spec) => specView(context, machine, spec));
  const shown = { uuid: machine.machUuid, name: machine.name, status: 'ACTIVE', status_reason: '', resspecs };
  return { data: { tenant_uuid: tenant, cluster: { cluster_uuid: cluster, machine: shown } } };
}

function specView(context: CmContext, machine: Machine, spec: Spec) {
  const { book, maxPerSpec } = context;
  const devices = book.devices(machine.machUuid, spec).map((entry) => deviceView(context, machine, spec, entry));
  const conditions = [{ column: 'model', operator: 'eq', value: spec.model }];
  return {
    spec_uuid: spec.specUuid,
    type: spec.type,
    selector: { version: '1', expression: { conditions } },
    min_resspec_count: 0,
    max_resspec_count: maxPerSpec,
    device_count: book.count(machine.machUuid, spec),
    // A server written in Go sends null for an empty list.
    devices: devices.length === 0 ? null : devices,
  };
}

/** `device_id` is what the node knows the device by. */
function deviceView({ tenant }: CmContext, machine: Machine, spec: Spec, { device, status, reason }: CmDevice) {
  return {
    device_id: device.serial,
    status,
    status_reason: reason,
    detail: {
      fabric_uuid: machine.fabricUuid,
      fabric_id: machine.fabricId,
      res_uuid: device.resUuid,
      fabr_gid: '',
      res_type: device.type,
      res_name: device.name,
      res_status: 0,
      res_op_status: device.opStatus,
      resspecs: [
        { resspec_uuid: spec.specUuid, productname: device.model, model: device.model, vendor: '', removable: true },
      ],
      tenant_uuid: tenant,
      mach_uuid: machine.machUuid,
    },
  };
}
