import type { Bench } from './benches/bench.ts';
import type { Figure } from './figure.ts';
import type { BenchHost } from './scene/host.ts';

/** A benchmark that could not be completed, or whose work came out wrong. */
export interface BenchFailure {
  readonly bench: string;
  readonly reason: string;
}

/** What benchmarks came to. */
export interface Results {
  readonly figures: readonly Figure[];
  readonly failures: readonly BenchFailure[];
}

/** Runs benchmarks one after the other. One that fails does not keep the others from running; an interruption does. Never rejects. */
export async function runBenches(benches: readonly Bench[], host: BenchHost): Promise<Results> {
  const figures: Figure[] = [];
  const failures: BenchFailure[] = [];
  for (const { name, title, run } of benches) {
    if (host.interrupted.aborted) break;
    host.say(`== ${name}: ${title}`);
    try {
      figures.push(...(await run(host)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      host.say(`failed: ${reason}`);
      failures.push({ bench: name, reason });
    }
  }
  return { figures, failures };
}
