import type { Body } from '../entry.ts';

const HEALTH = new Map([
  ['0', 'OK'],
  ['1', 'Warning'],
  ['2', 'Critical'],
]);

/** A device's `Status`. A health that no word is known for is left out. */
export function statusOf(opStatus: string): Body {
  const health = HEALTH.get(opStatus.trim().slice(0, 1));
  return { State: 'Enabled', ...(health === undefined ? {} : { Health: health }) };
}

/** `Status` of what never breaks. */
export const WELL: Body = { State: 'Enabled', Health: 'OK' };
