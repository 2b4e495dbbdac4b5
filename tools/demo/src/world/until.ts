import type { Clock } from '@cro/clock';

/** Something that tells of its changes. The result ends that. */
export type Subscribe = (listener: () => void) => () => void;

/** What to wait for. */
export interface Wait<T> {
  readonly clock: Clock;
  /** For the error: `the request is Running`. */
  readonly what: string;
  /** The things whose changes matter. */
  readonly on: readonly Subscribe[];
  /** The value that is waited for; `undefined` while it is not there. */
  readonly value: () => T | undefined;
  /** How it stands, for the error. */
  readonly standing?: () => string;
  readonly withinMs: number;
  /** Ends the wait with its reason. */
  readonly signal: AbortSignal;
}

/** Looks once now and once after each change; rejects when time is up or the signal aborts. Never polls. */
export function until<T>(wait: Wait<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const undo: (() => void)[] = [];
    const end = (finish: () => void) => {
      for (const free of undo.splice(0)) free();
      finish();
    };
    const fail = (error: unknown) => {
      end(() => {
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    };
    const abort = () => {
      fail(wait.signal.reason);
    };
    const look = () => {
      try {
        const value = wait.value();
        if (value !== undefined) {
          end(() => {
            resolve(value);
          });
        }
      } catch (error) {
        fail(error);
      }
    };
    if (wait.signal.aborted) {
      abort();
      return;
    }
    wait.signal.addEventListener('abort', abort, { once: true });
    undo.push(() => {
      wait.signal.removeEventListener('abort', abort);
    });
    undo.push(
      wait.clock.after(wait.withinMs, () => {
        const standing = wait.standing?.() ?? '';
        fail(new Error(`not within ${wait.withinMs / 1000} s: ${wait.what}${standing === '' ? '' : ` (${standing})`}`));
      }),
    );
    for (const subscribe of wait.on) undo.push(subscribe(look));
    look();
  });
}
