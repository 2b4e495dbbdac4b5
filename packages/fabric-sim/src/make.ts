import type { DeviceSpec, MachineSpec } from './pool/device.ts';

/** `count` GPUs of a model. Their ids are made of the model's place and a number, the same in every run. */
export function makeGpus(count: number, model: string, series = 0): readonly DeviceSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'gpu',
    model,
    serial: `GPU-${uuid(0x6000 + series, index)}`,
    resUuid: uuid(0x7000 + series, index),
    name: `${model}-${index}`,
  }));
}

/** `count` machines of one fabric, named `<prefix>0`, `<prefix>1`, ... */
export function makeMachines(count: number, prefix = 'machine-'): readonly MachineSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    machUuid: uuid(0x5000, index),
    name: `${prefix}${index}`,
    fabricUuid: uuid(0x4000, 0),
  }));
}

/** A well-formed UUID of version 4 that is made of two numbers. */
function uuid(group: number, index: number): string {
  return `00000000-${group.toString(16).padStart(4, '0')}-4000-8000-${index.toString(16).padStart(12, '0')}`;
}
