import type { ListenAddress } from '../listen-address.ts';
import { listen, plain, type ListenOutcome, type Page } from './http-server.ts';

/** One thing that must hold. */
export interface Check {
  /** A word for the answer: `leader`, `caches`, `webhook`. */
  readonly name: string;
  /** Why it does not hold, in a line; `undefined` when it does. */
  readonly problem: () => string | undefined;
}

/** What the probes answer from. */
export interface ProbeOptions {
  readonly address: ListenAddress;
  /** `/healthz`: what only a restart can mend. */
  readonly live: readonly Check[];
  /** `/readyz`: what has to hold before traffic comes. */
  readonly ready: readonly Check[];
}

/** Serves `/healthz` and `/readyz`: 200 or 503, and a line for each check in the form that Kubernetes' own probes have. */
export function startProbes({ address, live, ready }: ProbeOptions): Promise<ListenOutcome> {
  return listen({
    address,
    pages: { '/healthz': () => report('healthz', live), '/readyz': () => report('readyz', ready) },
  });
}

function report(probe: string, checks: readonly Check[]): Page {
  const problems = checks.map(({ name, problem }) => ({ name, found: problem() }));
  const lines = problems.map(({ name, found }) =>
    found === undefined ? `[+]${name} ok` : `[-]${name} failed: ${found}`,
  );
  const passed = problems.every(({ found }) => found === undefined);
  return plain(passed ? 200 : 503, `${[...lines, `${probe} check ${passed ? 'passed' : 'failed'}`].join('\n')}\n`);
}
