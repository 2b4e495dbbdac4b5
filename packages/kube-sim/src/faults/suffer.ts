import { ConnectionCut, type SimResponse } from '../base/http.ts';
import type { SimClock } from '../base/sim-clock.ts';
import { failureResponse } from '../api/respond.ts';
import type { Trouble } from './fault.ts';

/** Carries out what goes wrong. Answers what the client gets instead; undefined when it only had to wait. */
export async function suffer(
  troubles: readonly Trouble[],
  clock: SimClock,
  signal: AbortSignal,
): Promise<SimResponse | undefined> {
  for (const trouble of troubles) {
    switch (trouble.tag) {
      case 'delay':
        await wait(clock, trouble.ms, signal);
        break;
      case 'cut':
        throw new ConnectionCut();
      case 'empty':
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '' };
      case 'fail': {
        const { code, reason, message, retryAfterSeconds } = trouble;
        const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
        return failureResponse({ ok: false, code, reason, message, ...retry });
      }
    }
  }
  return undefined;
}

/** Waits, but not for a client that has hung up. */
function wait(clock: SimClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
