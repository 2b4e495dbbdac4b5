import { cleanText, type DevicesRead, type ListedDevice } from '@cro/cdi-core';
import type { DeviceType } from '@cro/crd-types';
import { healthOf } from '../health.ts';
import { stageOf, type Stage } from './stage.ts';
import type { WireDevice, WireMachine, WireSpec } from './wire.ts';

/** A device of a machine, whatever is happening to it. One on its way may have no id yet: then it is empty. */
export interface CmDevice extends ListedDevice {
  readonly stage: Stage;
  /** CM's own word. */
  readonly status: string;
  /** Why it failed, if it did. */
  readonly reason: string;
}

/** How many devices of one kind a machine has and may have. */
export interface CmSpec {
  readonly specUuid: string;
  readonly type: DeviceType;
  /** Empty: CM chooses its devices by something else than their model. */
  readonly model: string;
  /** How many are asked for, as far as CM says so. */
  readonly count: number;
  readonly max: number;
  readonly devices: readonly CmDevice[];
}

/** A machine: `devices` are those that are attached and stay. */
export interface CmRead extends DevicesRead {
  readonly specs: readonly CmSpec[];
}

/** Reads an answer of CM. Processors and memory modules are left out. */
export function machineOf(answer: WireMachine, machine: string): CmRead {
  const specs = (answer.data.cluster.machine.resspecs ?? []).flatMap((spec) => {
    const { type } = spec;
    return type === 'gpu' || type === 'cxlmemory' ? [specOf(spec, type, machine)] : [];
  });
  const devices = specs
    .flatMap((spec) => spec.devices)
    .filter(({ stage, cdiDeviceId }) => isAttached(stage) && cdiDeviceId !== '');
  return { tag: 'devices', devices, specs };
}

/** Attached, as far as CM's word can be understood. */
export function isAttached(stage: Stage): boolean {
  return stage === 'there' || stage === 'removeFailed';
}

function specOf(spec: WireSpec, type: DeviceType, machine: string): CmSpec {
  const condition = spec.selector?.expression?.conditions?.find(
    ({ column, operator }) => column === 'model' && operator === 'eq',
  );
  const model = typeof condition?.value === 'string' ? condition.value : '';
  const devices = (spec.devices ?? []).map((device) => deviceOf(device, type, model, machine));
  // CM's own count leads. It has been seen to be 0 with a device there, and "one more" may not mean that very one.
  const attached = devices.filter(({ stage }) => isAttached(stage)).length;
  return {
    specUuid: spec.spec_uuid,
    type,
    model,
    count: Math.max(spec.device_count ?? 0, attached),
    max: spec.max_resspec_count ?? Infinity,
    devices,
  };
}

function deviceOf(wire: WireDevice, type: DeviceType, model: string, machine: string): CmDevice {
  const deviceId = wire.device_id ?? '';
  const cdiDeviceId = wire.detail?.res_uuid || deviceId;
  const opStatus = wire.detail?.res_op_status;
  return {
    machine,
    type,
    model,
    cdiDeviceId,
    ...(deviceId === '' ? {} : { deviceId }),
    health: healthOf({ manager: 'CM', type, id: deviceId || cdiDeviceId, machine, opStatus }),
    ...(model === '' ? {} : { hints: { model } }),
    stage: stageOf(wire.status),
    status: cleanText(wire.status ?? '', 64),
    reason: cleanText(wire.status_reason ?? ''),
  };
}
