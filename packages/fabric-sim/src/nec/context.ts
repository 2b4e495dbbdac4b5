import type { Clock } from '@cro/clock';
import type { Pool } from '../pool/pool.ts';
import type { Hardware } from './hardware.ts';
import type { Marks } from './marks.ts';
import type { View } from './view.ts';

/** Which of NEC's wire formats is spoken: that of the open-source CDIM, or that of the product. */
export type NecDialect = 'oss' | 'product';

/** What NEC's services work with. Durations answer milliseconds, drawn anew for each device. */
export interface NecContext {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly marks: Marks;
  readonly hardware: Hardware;
  readonly view: View;
  readonly dialect: NecDialect;
  readonly random: () => number;
  readonly connectMs: () => number;
  readonly disconnectMs: () => number;
  /** How long a synchronisation that was asked for takes. */
  readonly syncMs: () => number;
}

const SERVER_SIDE = 'sfa-';
const DEVICE_SIDE = 'dfa-';

/** Ids of a machine's two fabric adapters, which only the product shows. */
export function adaptersOf(machine: string): { readonly serverSide: string; readonly deviceSide: string } {
  return { serverSide: `${SERVER_SIDE}${machine}`, deviceSide: `${DEVICE_SIDE}${machine}` };
}

/** The machine that a procedure's source stands for. */
export function machineOfSource(dialect: NecDialect, source: string | undefined): string | undefined {
  if (dialect === 'oss') return source;
  return source?.startsWith(DEVICE_SIDE) === true ? source.slice(DEVICE_SIDE.length) : undefined;
}
