import { complained, printed, type Program } from './program.ts';

/** The programs of a small container image, as far as they are asked for here. */
export const coreutils: Readonly<Record<string, Program>> = {
  true: () => printed(''),
  false: () => complained(1, ''),
  echo: ({ args }) => printed(`${args.join(' ')}\n`),
  cat: ({ args: [file], stdin }) =>
    file === undefined ? printed(stdin) : complained(1, `cat: ${file}: No such file or directory\n`),
  sleep: ({ args: [time], signal }) =>
    time === 'infinity' ? untilKilled(signal) : complained(1, `sleep: invalid time interval '${time ?? ''}'\n`),
};

/** 128 + SIGTERM: nobody reads it, as whoever waited has gone. */
const KILLED = 143;

function untilKilled(signal: AbortSignal) {
  return new Promise<ReturnType<typeof printed>>((resolve) => {
    const end = () => {
      resolve(complained(KILLED, ''));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
