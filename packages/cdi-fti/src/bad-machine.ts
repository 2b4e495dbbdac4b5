import type { Failure } from '@cro/crd-types';

/** A machine id that may not stand in a URL is never sent. */
export const badMachine: Failure = {
  kind: 'Rejected',
  message: 'the machine id holds characters that no id of the fabric has: correct the Node',
};
