import type { CallContext } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { newestApplies } from './calls.ts';
import type { Cdim } from './cdim.ts';
import { failureOf } from './failures.ts';
import type { Notes } from './notes.ts';
import type { Apply } from './wire.ts';

/** How soon to ask again while another apply is at work, in milliseconds. */
export const BUSY_RETRY_MS = 5_000;

/** Where the history stood before an apply: whatever comes after is newer. */
export type Marker = Pick<Notes, 'since' | 'seen'>;

/** Reads the history: what keeps an apply from starting, else where it ends. */
export async function readHistory(
  { client, places }: Cdim,
  context: CallContext,
): Promise<{ readonly tag: 'free'; readonly marker: Marker } | { readonly tag: 'failed'; readonly failure: Failure }> {
  const answer = await client.call(newestApplies(places), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM layout-apply history', answer) };
  const applies = answer.value.applyResults ?? [];
  for (const apply of applies) {
    const failure = hindrance(apply);
    if (failure !== undefined) return { tag: 'failed', failure };
  }
  return { tag: 'free', marker: markerOf(applies) };
}

function hindrance({ applyID, status, rollbackStatus }: Apply): Failure | undefined {
  if (status === 'IN_PROGRESS' || status === 'CANCELING' || rollbackStatus === 'IN_PROGRESS') return busy();
  if (status === 'SUSPENDED' || rollbackStatus === 'SUSPENDED') return suspended(applyID);
  return undefined;
}

/** Another apply is at work. It has an end of its own. */
export function busy(): Failure {
  const message = 'layout-apply is at work on another apply (E40010)';
  return { kind: 'Busy', message, retryAfterMs: BUSY_RETRY_MS };
}

/** Somebody's apply waits for a decision, and everybody with it. It is not ours to decide. */
export function suspended(applyID: string): Failure {
  const message = `layout-apply is blocked by the suspended apply ${applyID} (E40027): cancel or resume it`;
  return { kind: 'Blocked', message };
}

/** Times are whole seconds of the server's clock, so that several may have begun in the newest one. */
function markerOf(applies: readonly Apply[]): Marker {
  const times = applies.flatMap(({ startedAt }) => (startedAt === undefined ? [] : [startedAt])).sort();
  const since = times.at(-1);
  if (since === undefined) return { seen: applies.map(({ applyID }) => applyID) };
  return { since, seen: applies.filter(({ startedAt }) => startedAt === since).map(({ applyID }) => applyID) };
}
