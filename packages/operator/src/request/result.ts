import type { Failure } from '@cro/crd-types';

/** How the writes of a request ended. What was not done is tried again. */
export type Result = { readonly tag: 'done' } | { readonly tag: 'failed'; readonly failure: Failure };

/** One result for many: the first failure, if there is one. */
export function firstFailure(results: readonly Result[]): Result {
  return results.find((result) => result.tag === 'failed') ?? { tag: 'done' };
}

/** The API server did not do it, and says why. */
export function unreachable(message: string): Result {
  return { tag: 'failed', failure: { kind: 'Unreachable', message } };
}
