import { delay, type Clock } from '@cro/clock';
import { complained, said, type Program } from './program.ts';

/** `sleep`, on the clock of the simulation. */
export function sleep(clock: Clock): Program {
  return async ({ args: [time = ''], signal }) => {
    const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smh]?)$/u.exec(time) ?? [];
    if (number === '' && time !== 'infinity') return complained(1, `sleep: invalid time interval '${time}'\n`);
    const seconds = time === 'infinity' ? Infinity : Number(number) * (SECONDS[unit] ?? 1);
    const over = () => undefined;
    // Aborted or over: whoever waited sees by the signal which it was.
    await (Number.isFinite(seconds) ? delay(clock, seconds * 1_000, signal) : untilAborted(signal)).then(over, over);
    return said('');
  };
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
