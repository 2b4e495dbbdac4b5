import type { ApiError } from '../client/outcome.ts';
import { backoffMs } from '../backoff.ts';
import type { Listing, Moment, Transition, Waiting, WatchEffect, WatchInput, Watching, WatchState } from './state.ts';
import { isOlder } from './version.ts';

/** A watch that ends in order sooner than this, and without a word, was asked for a version that is gone. */
const SUSPICIOUS_CLOSE_MS = 2_000;

/** How often an object is read that may not be watched: a changed Secret is used within a minute. */
const POLL_MS = 60_000;

/** How the list-watch begins. */
export const start: WatchState = { tag: 'listing', failures: 0 };

/** The list-watch: what follows from an input. Pure. */
export function step(state: WatchState, input: WatchInput, moment: Moment): Transition {
  switch (state.tag) {
    case 'listing':
      return stepListing(state, input, moment);
    case 'watching':
      return stepWatching(state, input, moment);
    case 'waiting':
      return input.tag === 'elapsed' ? stepElapsed(state, moment) : stay(state);
  }
}

function stepListing(state: Listing, input: WatchInput, moment: Moment): Transition {
  switch (input.tag) {
    case 'item':
      return { state, effects: [{ tag: 'set', value: input.value }] };
    case 'polled':
      return stepPolled(input.resourceVersion);
    case 'page':
      return stepPage(state, input, moment);
    case 'failed':
      return wait(input.error, moment, state.failures, { known: state.known });
    case 'garbled':
      return wait(garbled(input.message), moment, state.failures, { known: state.known });
    case 'added':
    case 'modified':
    case 'deleted':
    case 'bookmark':
    case 'closed':
    case 'elapsed':
      return stay(state);
    default:
      return unreachable(input);
  }
}

function stepPage(state: Listing, page: WatchInput & { readonly tag: 'page' }, moment: Moment): Transition {
  const snapshot = state.snapshot ?? page.resourceVersion;
  if (state.known !== undefined && isOlder(snapshot, state.known)) {
    // The objects of this page were compared with versions that mean nothing now: fetch them again.
    return { state: { tag: 'listing', failures: state.failures }, effects: [{ tag: 'distrust' }, { tag: 'begin' }] };
  }
  if (page.continueToken !== undefined) {
    return { state: { ...state, snapshot, continueToken: page.continueToken }, effects: [] };
  }
  return {
    state: { ...watching(snapshot, moment, state.failures), listed: true },
    effects: [{ tag: 'commit', version: snapshot }],
  };
}

/** What may be read and not watched is read again after a while; and listed first, should that be allowed by then. */
function stepPolled(version: string): Transition {
  const state = { tag: 'waiting', delayMs: POLL_MS, failures: 0 } as const;
  return { state, effects: [{ tag: 'commit', version }] };
}

function stepWatching(state: Watching, input: WatchInput, moment: Moment): Transition {
  switch (input.tag) {
    case 'added':
    case 'modified':
      return advance(state, { tag: 'set', value: input.value, version: input.resourceVersion }, input.resourceVersion);
    case 'deleted':
      return advance(
        state,
        { tag: 'remove', value: input.value, version: input.resourceVersion },
        input.resourceVersion,
      );
    case 'bookmark':
      return advance(state, { tag: 'reached', version: input.resourceVersion }, input.resourceVersion);
    case 'closed':
      return stepClosed(state, moment);
    case 'failed':
      return stepWatchFailed(state, input.error, moment);
    case 'garbled':
      // Asking again from the same version would bring the same line again.
      return wait(garbled(input.message), moment, state.failures, { known: state.resourceVersion });
    case 'item':
    case 'page':
    case 'polled':
    case 'elapsed':
      return stay(state);
    default:
      return unreachable(input);
  }
}

function advance(state: Watching, effect: WatchEffect, resourceVersion: string): Transition {
  return { state: { ...state, resourceVersion, delivered: true, failures: 0 }, effects: [effect] };
}

function stepClosed(state: Watching, moment: Moment): Transition {
  const early = moment.at - state.openedAt < SUSPICIOUS_CLOSE_MS;
  if (!early) return { state: watching(state.resourceVersion, moment, 0), effects: [] };
  const error = { status: 0, reason: 'ClosedEarly', message: 'the watch was closed as soon as it was open' };
  if (!state.delivered) return wait(error, moment, state.failures, { known: state.resourceVersion });
  return wait(error, moment, state.failures, { resume: state.resourceVersion });
}

function stepWatchFailed(state: Watching, error: ApiError, moment: Moment): Transition {
  // A server that has restarted remembers nothing older: that is no failure more, and a list helps at once. One that calls
  // its own list too old has to be waited for.
  if (error.status === 410 && !(state.listed && state.failures > 0)) {
    return relist(state.resourceVersion, Math.max(1, state.failures));
  }
  // The place is still good when nothing was said about it: no answer, too many requests, a fault of the server, or one that has just
  // started and has not read the roles yet.
  const transient = [0, 401, 403, 429].includes(error.status) || error.status >= 500;
  return wait(
    error,
    moment,
    state.failures,
    transient ? { resume: state.resourceVersion } : { known: state.resourceVersion },
  );
}

function stepElapsed(state: Waiting, moment: Moment): Transition {
  if (state.resume !== undefined) return { state: watching(state.resume, moment, state.failures), effects: [] };
  return relist(state.known, state.failures);
}

function relist(known: string | undefined, failures: number): Transition {
  return { state: { tag: 'listing', failures, ...(known !== undefined && { known }) }, effects: [{ tag: 'begin' }] };
}

function watching(resourceVersion: string, moment: Moment, failures: number): Watching {
  return { tag: 'watching', resourceVersion, openedAt: moment.at, delivered: false, listed: false, failures };
}

interface Next {
  readonly resume?: string | undefined;
  readonly known?: string | undefined;
}

function wait(error: ApiError, moment: Moment, failures: number, { resume, known }: Next): Transition {
  // On top of Retry-After, which is the same for all watches that were turned away together.
  const delayMs = (error.retryAfterMs ?? 0) + backoffMs(failures, moment.random);
  const state: Waiting = {
    tag: 'waiting',
    delayMs,
    failures: failures + 1,
    ...(resume !== undefined && { resume }),
    ...(known !== undefined && { known }),
  };
  return { state, effects: [{ tag: 'report', error, retryMs: delayMs }] };
}

function garbled(message: string): ApiError {
  return { status: 0, reason: 'Malformed', message };
}

function stay(state: WatchState): Transition {
  return { state, effects: [] };
}

function unreachable(input: never): never {
  throw new Error(`unknown input ${JSON.stringify(input)}`);
}
