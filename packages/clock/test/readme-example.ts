import { delay, startDeadline, type Clock } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';

/** Asks up to three times, with a second in between. */
async function ask(clock: Clock, once: (signal: AbortSignal) => Promise<string>): Promise<string> {
  for (let left = 2; ; left -= 1) {
    const deadline = startDeadline(clock, 5000);
    try {
      return await once(deadline.signal);
    } catch (error) {
      if (left === 0) throw error;
      await delay(clock, 1000);
    } finally {
      deadline.clear();
    }
  }
}

const clock = new VirtualClock();
let calls = 0;
const answer = ask(clock, () => {
  calls += 1;
  return calls < 3 ? Promise.reject(new Error('busy')) : Promise.resolve(`call ${calls} at ${clock.monotonic()} ms`);
});
await clock.advance(2000);
console.log(await answer); // call 3 at 2000 ms
