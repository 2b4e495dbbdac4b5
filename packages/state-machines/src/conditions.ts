import type { Condition } from '@cro/crd-types';

/** A condition before it has a time. */
export type ConditionDraft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Longest message that a condition may have. */
const MAX_MESSAGE = 32_768;

/**
 * Puts drafts over the conditions that are there; one of another type stays as it is, each keeps its place, new ones come
 * last. `lastTransitionTime` moves only when `status` does. So the same situation gives the same conditions, whenever it
 * is looked at.
 */
export function mergeConditions(
  present: readonly Condition[] | undefined,
  drafts: readonly ConditionDraft[],
  observedGeneration: number | undefined,
  now: string,
): Condition[] {
  const merged = new Map((present ?? []).map((one) => [one.type, one]));
  for (const { type, status, reason, message } of drafts) {
    const before = merged.get(type);
    merged.set(type, {
      type,
      status,
      reason,
      message: message.slice(0, MAX_MESSAGE),
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    });
  }
  return [...merged.values()];
}
