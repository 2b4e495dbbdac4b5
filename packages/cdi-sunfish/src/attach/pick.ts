import { cleanText, type AttachRequest } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { World } from '../world.ts';

/** A device that could be chosen. */
export interface Candidate {
  readonly id: string;
  readonly model: string;
}

/**
 * Picks the first candidate that nobody claims and that was not refused lately, and reserves it; undefined when there is none.
 * Nothing may be awaited between the check and the reservation, so both are here.
 */
export function pick<T extends Candidate>(
  { reservations }: World,
  request: AttachRequest,
  candidates: readonly T[],
): T | undefined {
  const { holder, machine, model } = request;
  const taken = reservations.takenFrom(request);
  const chosen = candidates.find(
    ({ id, model: own }) => own === model && !taken.has(id) && reservations.refusal(machine, id) === undefined,
  );
  if (chosen !== undefined) reservations.choose(holder, chosen.id);
  return chosen;
}

/** Why nothing could be picked: what was refused lately, or that there is none left. */
export function nothingLeft<T extends Candidate>(
  { reservations }: World,
  { machine, model }: AttachRequest,
  candidates: readonly T[],
): Failure {
  for (const { id, model: own } of candidates) {
    const refusal = own === model ? reservations.refusal(machine, id) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return { kind: 'Exhausted', message: `no GPU of model '${cleanText(model)}' is free for machine '${machine}'` };
}
