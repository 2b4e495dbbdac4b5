import type { Failure, ResourceState } from '@cro/crd-types';
import type {
  Again,
  NoteBefore,
  ResourceChange,
  ResourceDecision,
  ResourceReason,
  ResourceReport,
} from './decision.ts';
import type { ResourceFacts, ResourceWords } from './facts.ts';
import type { ResourceOutcome, ResourceRequest } from './outcome.ts';

/** What a row of the table does: decide, given how the last request ended (if that was one of this row's). */
export type Act = (facts: ResourceFacts, words: ResourceWords, outcome?: ResourceOutcome) => ResourceDecision;

/** How long to wait for an event that should wake us before looking again all the same. */
const LOOK_AGAIN_MS = 30_000;

const onEvent: Again = { tag: 'event' };
const lookAgain: Again = { tag: 'after', ms: LOOK_AGAIN_MS };

/** A report of something that is going on as it should. */
export function going(state: ResourceState, reason: ResourceReason, message: string): ResourceReport {
  return { state, reason, message, error: false };
}

/** A report of something that does not work. */
export function failing(state: ResourceState, reason: ResourceReason, message: string): ResourceReport {
  return { state, reason, message, error: true };
}

/** Waits for an event. */
export function waitFor(report: ResourceReport): ResourceDecision {
  return { tag: 'wait', report, again: onEvent };
}

/** Waits for an event that may be missed, and looks again after half a minute. */
export function watchFor(report: ResourceReport): ResourceDecision {
  return { tag: 'wait', report, again: lookAgain };
}

/** Says what failed and tries again with growing delays, not before the fabric wishes to be asked. */
export function retry(state: ResourceState, failure: Failure): ResourceDecision {
  return { tag: 'wait', report: failing(state, failure.kind, failure.message), again: backoff(failure) };
}

/** A growing delay, at least as long as the failure asks for. */
export function backoff(failure?: Failure): Again {
  return failure?.retryAfterMs === undefined ? { tag: 'backoff' } : { tag: 'backoff', atLeastMs: failure.retryAfterMs };
}

/** Writes. */
export function save(change: ResourceChange, pause?: Again): ResourceDecision {
  return pause === undefined ? { tag: 'save', change } : { tag: 'save', change, pause };
}

/** Asks for one request. */
export function request(name: ResourceRequest, change?: NoteBefore): ResourceDecision {
  return change === undefined ? { tag: 'request', request: name } : { tag: 'request', request: name, change };
}

/** The state to report while nothing has been decided yet: an unseen object is Attaching from its first report on. */
export function stateOf(facts: ResourceFacts): ResourceState {
  return facts.state === '' ? 'Attaching' : facts.state;
}

type OutcomeOf<R extends ResourceRequest> = Extract<ResourceOutcome, { readonly request: R }>;

function isOutcomeOf<R extends ResourceRequest>(outcome: ResourceOutcome, name: R): outcome is OutcomeOf<R> {
  return outcome.request === name;
}

/** What the outcome of a row's request means. `'next'`, or a note: on to the row's next request, the note written first. */
export type Verdict = ResourceDecision | 'next' | { readonly tag: 'next'; readonly note: NoteBefore };

/** One request of a row, and what its outcome means. */
export interface Stage {
  readonly request: ResourceRequest;
  readonly conclude: (outcome: ResourceOutcome, facts: ResourceFacts, words: ResourceWords) => Verdict | 'foreign';
}

/** Ties a request to the function that understands exactly its outcomes. */
export function stage<R extends ResourceRequest>(
  name: R,
  conclude: (outcome: OutcomeOf<R>, facts: ResourceFacts, words: ResourceWords) => Verdict,
): Stage {
  return {
    request: name,
    conclude: (outcome, facts, words) => (isOutcomeOf(outcome, name) ? conclude(outcome, facts, words) : 'foreign'),
  };
}

/** A stage whose only outcomes are done and failed. */
export function plainStage(
  name: 'ensureDriver' | 'refreshNode' | 'drain' | 'unfence' | 'spareDevice' | 'deleteSelf',
): Stage {
  return stage(name, (outcome, facts) => (outcome.tag === 'done' ? 'next' : retry(stateOf(facts), outcome.failure)));
}

/**
 * Runs stages one after the other, then `last`. An outcome of another row's request is ignored: the facts have changed
 * since it was asked for, and this row starts at its beginning.
 */
export function steps(
  stages: readonly Stage[],
  last: (facts: ResourceFacts, words: ResourceWords) => ResourceDecision,
): Act {
  return (facts, words, outcome) => {
    if (outcome !== undefined) {
      for (const [index, current] of stages.entries()) {
        const verdict = current.conclude(outcome, facts, words);
        if (verdict === 'foreign') continue;
        if (verdict !== 'next' && verdict.tag !== 'next') return verdict;
        const following = stages[index + 1];
        if (following === undefined) return last(facts, words);
        return request(following.request, verdict === 'next' ? undefined : verdict.note);
      }
    }
    const first = stages[0];
    return first === undefined ? last(facts, words) : request(first.request);
  };
}
