import { defineCommand } from 'just-bash/browser';

const LONG: Readonly<Record<string, string>> = { '--no-messages': 's', '--with-filename': 'H' };

/** `grep` with `-s` (nothing is said of files that are not there) and `-H` (each line has its file's name), which just-bash's lacks. */
export const grep = defineCommand('grep', async (args, { origCommand }) => {
  if (origCommand === undefined) return { stdout: '', stderr: 'grep: command not found\n', exitCode: 127 };
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = args.slice(0, end).map((word) => optionsOf(word));
  const rest = [...options.flatMap(({ kept }) => kept), ...args.slice(end)];
  const has = (letter: string) => options.some(({ taken }) => taken.includes(letter));
  // It names the files of its own accord where there are several.
  const outcome = await origCommand(has('H') ? [...rest, '/dev/null'] : rest);
  const stderr = has('s') ? outcome.stderr.replaceAll(/^grep: .*: No such file or directory\n/gmu, '') : outcome.stderr;
  return { ...outcome, stderr };
});

/** What of a word is done here, and what is left of it. The letters behind one that takes a value are that value. */
function optionsOf(word: string): { readonly taken: string; readonly kept: readonly string[] } {
  const long = LONG[word];
  if (long !== undefined) return { taken: long, kept: [] };
  const [, letters = '', value = ''] = /^-([^-efmABCd]+)(.*)$/su.exec(word) ?? [];
  if (!/[sH]/u.test(letters)) return { taken: '', kept: [word] };
  const left = letters.replaceAll(/[sH]/gu, '') + value;
  return { taken: letters, kept: left === '' ? [] : [`-${left}`] };
}
