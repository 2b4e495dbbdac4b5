import type { Clock } from './clock.ts';

/** The largest delay that the platform's timers keep; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    return () => {
      clearTimeout(timer);
    };
  },
};
