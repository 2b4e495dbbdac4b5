import type { VirtualClock } from '@cro/clock/testing';
import type { ContractWorld } from './contract-world.ts';

/** More virtual time than the longest story takes, in milliseconds. */
const LONGEST_MS = 86_400_000;

/** The time of a {@link ContractWorld} on a virtual clock: it passes only while the suite waits for something. */
export function virtualTime(clock: VirtualClock): Pick<ContractWorld, 'clock' | 'settle' | 'wait'> {
  return {
    clock,
    wait: (ms) => clock.advance(ms),
    async settle(work) {
      const progress = { over: false };
      const end = work.finally(() => (progress.over = true));
      // Whoever waits gets the rejection below; until then nobody does, which the process would call unhandled.
      end.catch(() => undefined);
      if (await clock.runUntil(() => progress.over, LONGEST_MS)) return end;
      throw new Error(`it does not end within ${LONGEST_MS / 3_600_000} hours, or nothing is left that could end it`);
    },
  };
}
