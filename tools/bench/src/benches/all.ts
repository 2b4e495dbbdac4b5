import type { Bench } from './bench.ts';
import { burst, burstOnNodes, giveBack } from './burst.ts';
import { crash } from './crash.ts';
import { list } from './list.ts';
import { latency } from './latency.ts';
import { machines } from './machines.ts';
import { memory, steady } from './rest.ts';

/** Every benchmark, in the order in which they run. */
export const BENCHES: readonly Bench[] = [
  latency,
  machines,
  burst,
  burstOnNodes,
  giveBack,
  steady,
  memory,
  crash,
  list,
];
