import { isFabricId, type Answer, type CallContext, type OperationTarget, type Submitted } from '@cro/cdi-core';
import { postApply } from './calls.ts';
import type { Cdim } from './cdim.ts';
import { failureOf, refusalIn } from './failures.ts';
import { busy, suspended } from './history.ts';
import type { Notes } from './notes.ts';

/** Asks layout-apply for one step. It accepts, and works on it by itself. */
export async function submit(
  { client, places }: Cdim,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<Submitted> {
  const answer = await client.call(postApply(places, stepOf(target)), context);
  return answer.tag === 'ok' ? { tag: 'accepted', operation: answer.value.applyID } : refusedOrInDoubt(answer);
}

/** The words of either dialect. */
export function stepOf({ op, cdiDeviceId, notes }: OperationTarget<Notes>): Readonly<Record<string, unknown>> {
  const operation = op === 'attach' ? 'connect' : 'disconnect';
  return notes.dialect === 'oss'
    ? { operation, targetCPUID: notes.source, targetDeviceID: cdiDeviceId }
    : { operation, sourceDeviceID: notes.source, destinationDeviceID: cdiDeviceId };
}

/**
 * Proof that nothing was begun is: a refusal in layout-apply's own words with a status below 500; 401 and 429, whoever
 * answers them; and a request that never left.
 */
function refusedOrInDoubt(answer: Exclude<Answer<unknown>, { tag: 'ok' }>): Submitted {
  const failure = failureOf('CDIM layout-apply', answer);
  if (answer.tag === 'noAnswer' && !answer.sent) return { tag: 'refused', failure };
  const refusal = refusalIn(answer);
  if (answer.tag === 'status') {
    if (refusal?.code === 'E40010') return { tag: 'refused', failure: busy() };
    if (refusal?.code === 'E40027') return { tag: 'refused', failure: suspended(applyIn(refusal.message)) };
    const { status } = answer;
    if (status === 401 || status === 429 || (refusal !== undefined && status < 500 && status !== 408)) {
      return { tag: 'refused', failure };
    }
  }
  return { tag: 'inDoubt', failure: { ...failure, kind: failure.kind === 'Protocol' ? 'Protocol' : 'InDoubt' } };
}

/** `applyID: <id>` by the code, `applyID:[<id>]` by the documentation. */
function applyIn(message: string): string {
  const id = /applyID:\s*\[?([0-9a-f]{10})/.exec(message)?.[1];
  return id !== undefined && isFabricId(id) ? id : 'of somebody';
}
