import type { Bench } from './bench.ts';
import { latency } from './latency.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHES: readonly Bench[] = [latency];
