import type { Pool } from '../pool/pool.ts';

/** A kind of device that the machines of a cluster may have, and how many of it. */
export interface Spec {
  readonly specUuid: string;
  readonly type: string;
  readonly model: string;
}

/** One spec for each type and model that the pool has, numbered in the order in which they turn up, after one of the CPUs. */
export function specsOf(pool: Pool): readonly Spec[] {
  const kinds = [{ type: 'cpu', model: 'CPU' }, ...pool.kinds()];
  return kinds.map((kind, index) => ({
    specUuid: `00000000-8000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    ...kind,
  }));
}
