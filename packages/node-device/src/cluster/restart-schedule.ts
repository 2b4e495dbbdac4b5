import { reasonOf, type Cancel, type Clock } from '@cro/clock';
import type { NodeOutcome } from '../outcomes.ts';

/** What a schedule of restarts needs. */
export interface RestartScheduleOptions<T extends RestartRequest> {
  readonly clock: Clock;
  /** How long what is waited for may take to come by itself, in milliseconds. */
  readonly waitMs: number;
  /** Restarts what publishes the devices of one place, for those who wait there. Expected failures are returned. */
  readonly restart: (place: string, requests: readonly T[]) => Promise<RestartOutcome>;
}

/** How a restart ended. `later`: nothing was restarted; those who wait go on waiting until it is tried again. */
export type RestartOutcome = NodeOutcome | { readonly tag: 'later'; readonly afterMs: number };

/** Somebody who waits for a device to come or go. */
export interface RestartRequest {
  /** What is restarted together: a node, or the cluster. */
  readonly place: string;
  /** Whether a restart is needless, as what was waited for is so. */
  readonly isDone: () => boolean;
  /** Calls back when `isDone` may have become true. The result ends that. */
  readonly onChange: (look: () => void) => () => void;
}

interface Waiter<T> {
  readonly request: T;
  readonly end: (outcome: NodeOutcome) => void;
  /** Whether it waits no more. */
  isOver: boolean;
}

/** Those who wait for one place. */
interface Round<T> {
  readonly sinceMs: number;
  readonly waiters: Set<Waiter<T>>;
  cancel: Cancel;
}

/** What is restarted is left alone for so long. */
const APART_MS = 10_000;
/** Devices that come one after the other share a restart; the first of them waits for no longer than this, or than the wait itself. */
const LONGEST_MS = 10_000;

const DONE: NodeOutcome = { tag: 'done' };

/**
 * Restarts what publishes devices, as seldom as possible: not where what is waited for comes by itself within a wait, once for all who
 * wait in the same place, the wait counting from the last of them, and at most once in 10 s. It keeps nothing that must
 * outlive the process: after a crash, whoever still waits asks again.
 */
export class RestartSchedule<T extends RestartRequest> {
  readonly #options: RestartScheduleOptions<T>;
  readonly #rounds = new Map<string, Round<T>>();
  /** When a place was restarted last, on the monotonic clock. */
  readonly #restarted = new Map<string, number>();

  constructor(options: RestartScheduleOptions<T>) {
    this.#options = options;
  }

  /** Resolves when what is waited for is so, or a restart was tried. Rejects with the signal's reason when that aborts. */
  ask(request: T, signal: AbortSignal): Promise<NodeOutcome> {
    if (request.isDone()) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        stopLooking();
        waiter.isOver = true;
        this.#leave(request.place, waiter);
      };
      const onAbort = () => {
        leave();
        reject(reasonOf(signal));
      };
      const waiter: Waiter<T> = {
        request,
        end: (outcome) => {
          leave();
          resolve(outcome);
        },
        isOver: false,
      };
      const stopLooking = request.onChange(() => {
        if (request.isDone()) waiter.end(DONE);
      });
      this.#join(request.place, waiter);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  #join(place: string, waiter: Waiter<T>): void {
    const { clock, waitMs } = this.#options;
    const now = clock.monotonic();
    const round = this.#rounds.get(place) ?? { sinceMs: now, waiters: new Set(), cancel: () => undefined };
    this.#rounds.set(place, round);
    round.waiters.add(waiter);
    round.cancel();
    const latest = round.sinceMs + Math.max(LONGEST_MS, waitMs);
    const soonest = Math.min(now + waitMs, Math.max(latest, now));
    const allowed = (this.#restarted.get(place) ?? -Infinity) + APART_MS;
    round.cancel = clock.after(Math.max(soonest, allowed) - now, () => void this.#restart(place, round));
  }

  #leave(place: string, waiter: Waiter<T>): void {
    const round = this.#rounds.get(place);
    if (round?.waiters.delete(waiter) !== true || round.waiters.size > 0) return;
    round.cancel();
    this.#rounds.delete(place);
  }

  async #restart(place: string, round: Round<T>): Promise<void> {
    // Who comes from now on is in a round of its own: this restart may be too early for it.
    this.#rounds.delete(place);
    const { clock, restart } = this.#options;
    const now = clock.monotonic();
    for (const [other, atMs] of this.#restarted) if (now - atMs >= APART_MS) this.#restarted.delete(other);
    this.#restarted.set(place, now);
    const outcome = await restart(
      place,
      [...round.waiters].map(({ request }) => request),
    );
    if (outcome.tag === 'later') this.#putOff(place, round, outcome.afterMs);
    else for (const waiter of [...round.waiters]) waiter.end(outcome);
  }

  /** Who came meanwhile waits with them, and is told after them, as what it has seen is newer. */
  #putOff(place: string, { sinceMs, waiters }: Round<T>, afterMs: number): void {
    this.#restarted.delete(place);
    const waiting = [...waiters].filter(({ isOver }) => !isOver);
    if (waiting.length === 0) return;
    const later = this.#rounds.get(place);
    later?.cancel();
    const all = new Set([...waiting, ...(later?.waiters ?? [])]);
    const round: Round<T> = { sinceMs, waiters: all, cancel: () => undefined };
    this.#rounds.set(place, round);
    round.cancel = this.#options.clock.after(afterMs, () => void this.#restart(place, round));
  }
}
