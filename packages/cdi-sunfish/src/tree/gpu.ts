import { cleanText, type IdentityHints } from '@cro/cdi-core';
import type { Processor } from '../redfish/wire.ts';

/** A GPU, as its Processor resource tells of it. */
export interface Gpu {
  readonly model: string;
  readonly hints: IdentityHints;
}

const NIL = /^[0-]*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST = 128;

/** The GPU that a processor is; undefined where it is another kind of processor. A UUID of zeros is none. */
export function gpuOf(processor: Processor): Gpu | undefined {
  if (processor.ProcessorType !== 'GPU') return undefined;
  const { Model: model = '', SerialNumber: serial = '', UUID: uuid = '' } = processor;
  return {
    model: cleanText(model, LONGEST),
    hints: {
      ...(model === '' ? {} : { model: cleanText(model, LONGEST) }),
      ...(serial === '' ? {} : { serialNumber: cleanText(serial, LONGEST) }),
      ...(UUID.test(uuid) && !NIL.test(uuid) ? { uuid: uuid.toLowerCase() } : {}),
    },
  };
}
