import type { Pool } from '../pool/pool.ts';

/** A kind of device that the machines of a cluster may have, and how many of it. */
export interface Spec {
  readonly specUuid: string;
  readonly type: string;
  readonly model: string;
}

/** One spec for each type and model that the pool has, numbered in the order in which they turn up, after one of the CPUs. */
export function specsOf(pool: Pool): readonly Spec[] {
  const kinds = new Map<string, Omit<Spec, 'specUuid'>>([['cpu', { type: 'cpu', model: 'CPU' }]]);
  for (const { type, model } of pool.devices()) kinds.set(`${type} ${model}`, { type, model });
  return [...kinds.values()].map((kind, index) => ({
    specUuid: `00000000-8000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    ...kind,
  }));
}
