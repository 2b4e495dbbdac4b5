import type { Clock } from './clock.ts';

/** A signal that aborts when time is up or when one of its parents aborts, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when time ran out, false when a parent aborted or nothing has happened. */
  readonly expired: () => boolean;
  /** Frees the timer and the listeners. Call it when the work is over. */
  readonly clear: () => void;
}

/** Starts a deadline of `ms` milliseconds on `clock`, below the signals in `parents`. */
export function startDeadline(clock: Clock, ms: number, ...parents: (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  let expired = false;
  const cancel = clock.after(ms, () => {
    expired = true;
    controller.abort(new Error(`no answer within ${ms} ms`));
  });
  const undo: (() => void)[] = [cancel];
  for (const parent of parents) {
    if (parent === undefined) continue;
    const onAbort = () => {
      controller.abort(parent.reason);
    };
    if (parent.aborted) onAbort();
    else {
      parent.addEventListener('abort', onAbort, { once: true });
      undo.push(() => {
        parent.removeEventListener('abort', onAbort);
      });
    }
  }
  return {
    signal: controller.signal,
    expired: () => expired,
    clear: () => {
      for (const free of undo) free();
    },
  };
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason when `signal` aborts first. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = () => {
      cancel();
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Why a signal aborted, as an error whatever it was aborted with. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
