import type { Clock } from '@cro/clock';
import { inWords } from './device-lines.ts';
import type { Output, View } from './view.ts';

/** One line for each thing that happens, with the seconds since the start in front. */
export function plainView(clock: Clock, output: Output): View {
  const start = clock.monotonic();
  const shown = new Map<string, string>();
  const say = (text: string) => {
    output.write(`${((clock.monotonic() - start) / 1000).toFixed(2).padStart(7)} s  ${text}\n`);
  };
  return {
    step: (title) => {
      say(`== ${title}`);
    },
    note: (text) => {
      say(`   ${text}`);
    },
    stepDone: (title, seconds) => {
      say(`ok ${title}: ${seconds.toFixed(2)} s`);
    },
    device(key, line) {
      const words = inWords(line);
      if (shown.get(key) === words) return;
      shown.set(key, words);
      say(`   ${words}`);
    },
    deviceGone(key) {
      const words = shown.get(key);
      shown.delete(key);
      if (words !== undefined) say(`   ${words.split(' ', 1)[0] ?? ''}  gone`);
    },
    text: (text) => {
      output.write(text);
    },
    close: () => undefined,
  };
}
