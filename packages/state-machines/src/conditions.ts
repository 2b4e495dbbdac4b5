import type { Condition } from '@cro/crd-types';

/** A condition before it has a time. */
export type ConditionDraft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Longest message that a condition may have. */
const MAX_MESSAGE = 32_768;

/**
 * Puts drafts over the conditions that are there. `lastTransitionTime` moves only when `status` does, so that the same
 * situation gives the same conditions, whenever it is looked at.
 */
export function mergeConditions(
  present: readonly Condition[] | undefined,
  drafts: readonly ConditionDraft[],
  observedGeneration: number | undefined,
  now: string,
): Condition[] {
  const kept = (present ?? []).filter((one) => !drafts.some((draft) => draft.type === one.type));
  const merged = drafts.map((draft): Condition => {
    const before = present?.find((one) => one.type === draft.type);
    const lastTransitionTime = before?.status === draft.status ? before.lastTransitionTime : now;
    const message = draft.message.slice(0, MAX_MESSAGE);
    return {
      ...draft,
      message,
      lastTransitionTime,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    };
  });
  return [...kept, ...merged];
}
