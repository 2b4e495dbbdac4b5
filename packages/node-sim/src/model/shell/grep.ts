import { defineCommand, type CommandContext, type ExecResult, type IFileSystem } from 'just-bash/browser';

const LONG: Readonly<Record<string, string>> = { '--no-messages': 's', '--with-filename': 'H' };
/** GNU's exit code when a file could not be read. */
const TROUBLE = 2;

/**
 * `grep` as scripts for nodes use it, with `-s` and `-H`, which just-bash's lacks; and for a fraction of the time, because it matches with
 * JavaScript's own patterns. `fs` are the files that the shell has. What is beyond that is left to just-bash's.
 */
export function grep(fs: IFileSystem) {
  return defineCommand('grep', (args, context) => {
    const asked = askedOf(args);
    return asked === undefined ? inGeneral(args, context) : searched(asked, fs, context);
  });
}

/** Letters of options, the pattern, and the files. */
interface Asked {
  readonly options: ReadonlySet<string>;
  readonly pattern: RegExp;
  readonly files: readonly string[];
}

/** Options that are known here: none of them takes a value. */
const OPTIONS = /^-[EHilqsv]+$/u;
/** Where basic, extended and JavaScript's regular expressions mean the same. */
const PLAIN = /^\^?(?:[\w /:,=.-]\*?|\[\^?[\w /:.-]+\]\*?)*\$?$/u;
/** The same, of extended ones alone: alternatives, and groups that have no others in them. */
const EXTENDED =
  /^(?:(?:^|(?<=\|))\^|[\w /:,=.-][*+?]?|\[\^?[\w /:.?-]+\][*+?]?|\([\w /:,=.|-]+\)[*+?]?|\||\$(?=\||$))*$/u;

function askedOf(args: readonly string[]): Asked | undefined {
  const end = args.findIndex((word) => !OPTIONS.test(word));
  const [pattern, ...files] = end === -1 ? [] : args.slice(end);
  if (pattern === undefined || [pattern, ...files].some((word) => word.startsWith('-'))) return undefined;
  const options = new Set(args.slice(0, end).flatMap((word) => [...word.slice(1)]));
  if (!(options.has('E') ? EXTENDED : PLAIN).test(pattern)) return undefined;
  return { options, pattern: new RegExp(pattern, options.has('i') ? 'iu' : 'u'), files };
}

/** What came of a file: lines that fit, or why it could not be read. */
interface Found {
  readonly name: string;
  readonly lines: readonly string[];
  readonly problem?: string;
}

async function searched({ options, pattern, files }: Asked, fs: IFileSystem, { cwd, stdin }: CommandContext) {
  const isWanted = (line: string) => pattern.test(line) !== options.has('v');
  const linesIn = (text: string) => (text === '' ? [] : text.replace(/\n$/u, '').split('\n').filter(isWanted));
  const found: Found[] = [];
  for (const name of files) {
    const path = fs.resolvePath(cwd, name);
    if (!(await fs.exists(path))) found.push({ name, lines: [], problem: 'No such file or directory' });
    else if ((await fs.stat(path)).isDirectory) found.push({ name, lines: [], problem: 'Is a directory' });
    else found.push({ name, lines: linesIn(await fs.readFile(path)) });
  }
  if (files.length === 0) found.push({ name: '(standard input)', lines: linesIn(String(stdin)) });
  return answered(found, options);
}

function answered(found: readonly Found[], options: ReadonlySet<string>): ExecResult {
  const isNamed = options.has('H') || found.length > 1;
  const told = ({ name, lines }: Found) => {
    if (options.has('l')) return lines.length > 0 ? [name] : [];
    return isNamed ? lines.map((line) => `${name}:${line}`) : lines;
  };
  const hasSome = found.some(({ lines }) => lines.length > 0);
  const problems = found.flatMap(({ name, problem }) => (problem === undefined ? [] : [`grep: ${name}: ${problem}\n`]));
  const lines = options.has('q') ? [] : found.flatMap(told);
  const isTrouble = problems.length > 0 && !(options.has('q') && hasSome);
  return {
    stdout: lines.map((line) => `${line}\n`).join(''),
    stderr: options.has('s') ? '' : problems.join(''),
    exitCode: isTrouble ? TROUBLE : hasSome ? 0 : 1,
  };
}

async function inGeneral(args: string[], { origCommand }: CommandContext): Promise<ExecResult> {
  if (origCommand === undefined) return { stdout: '', stderr: 'grep: command not found\n', exitCode: 127 };
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const options = args.slice(0, end).map((word) => optionsOf(word));
  const rest = [...options.flatMap(({ kept }) => kept), ...args.slice(end)];
  const has = (letter: string) => options.some(({ taken }) => taken.includes(letter));
  // It names the files of its own accord where there are several.
  const outcome = await origCommand(has('H') ? [...rest, '/dev/null'] : rest);
  const stderr = has('s') ? outcome.stderr.replaceAll(/^grep: .*: No such file or directory\n/gmu, '') : outcome.stderr;
  return { ...outcome, stderr };
}

/** What of a word is done here, and what is left of it. The letters behind one that takes a value are that value. */
function optionsOf(word: string): { readonly taken: string; readonly kept: readonly string[] } {
  const long = LONG[word];
  if (long !== undefined) return { taken: long, kept: [] };
  const [, letters = '', value = ''] = /^-([^-efmABCd]+)(.*)$/su.exec(word) ?? [];
  if (!/[sH]/u.test(letters)) return { taken: '', kept: [word] };
  const left = letters.replaceAll(/[sH]/gu, '') + value;
  return { taken: letters, kept: left === '' ? [] : [`-${left}`] };
}
