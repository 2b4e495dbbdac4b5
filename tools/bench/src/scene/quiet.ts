import { delay } from '@cro/clock';
import type { Scene } from './scene.ts';

/** Less CPU time than this share of the time that goes by is rest. */
const REST_SHARE = 0.05;
const LOOK_MS = 1000;
const QUICK_LOOK_MS = 300;
/** Looks in a row that have to show rest: a busy machine may not let the operator run for a while. */
const LOOKS = 3;
const PATIENCE_MS = 300_000;

/** Waits until the operator has nothing left to do, by the CPU time that it uses. */
export async function untilQuiet({ use, world, host: { clock, quick } }: Scene): Promise<void> {
  const lookMs = quick ? QUICK_LOOK_MS : LOOK_MS;
  const from = clock.monotonic();
  let before = use().cpuS;
  for (let quiet = 0; quiet < LOOKS;) {
    await delay(clock, lookMs, world.trouble);
    const { cpuS } = use();
    quiet = (cpuS - before) * 1000 < lookMs * REST_SHARE ? quiet + 1 : 0;
    before = cpuS;
    if (clock.monotonic() - from > PATIENCE_MS) throw new Error('the operator does not come to rest');
  }
}
