import type { Device, Machine } from '../../pool/device.ts';
import { resource, type Entry } from '../entry.ts';
import { statusOf, WELL } from './status.ts';

const TYPE = 'Processor.v1_20_0.Processor';

/** A GPU as a Processor. Its UUID is the one that the node knows it by, without `GPU-`. */
export function gpuProcessor(uri: string, device: Device): Entry {
  return resource(uri, TYPE, {
    ProcessorType: 'GPU',
    Manufacturer: 'NVIDIA',
    Model: device.model,
    ...(device.serial === '' ? {} : { UUID: device.serial.replace(/^GPU-/, '') }),
    SerialNumber: `SN-${device.resUuid}`,
    Status: statusOf(device.opStatus),
  });
}

/** A machine's own processor. */
export function cpuProcessor(uri: string, machine: Machine): Entry {
  return resource(uri, TYPE, {
    ProcessorType: 'CPU',
    Model: 'CPU',
    UUID: machine.machUuid,
    Status: WELL,
  });
}
