import type { Figure } from '../figure.ts';
import type { Counts } from '../scene/counts.ts';
import type { BenchHost } from '../scene/host.ts';

/** One benchmark. */
export interface Bench {
  /** For `--only`. */
  readonly name: string;
  /** For `--help`. */
  readonly title: string;
  /** Runs it. Rejects when it could not be completed, or when what came out is wrong. */
  run(host: BenchHost): Promise<readonly Figure[]>;
}

/** Throws when the fabric was asked for more or fewer changes than there are devices: no figure excuses that. */
export function checkCalls(counts: Counts, right: Pick<Counts, 'attach' | 'detach'>): void {
  for (const kind of ['attach', 'detach'] as const) {
    if (counts[kind] === right[kind]) continue;
    throw new Error(`the fabric got ${counts[kind]} ${kind} calls; right are ${right[kind]}`);
  }
}
