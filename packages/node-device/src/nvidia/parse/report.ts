import { linesOf, ok, wrong, type Read } from './read.ts';

/** Words of programs: what they said stands behind the word, and their exit code behind `<word>-exit`. */
const PROGRAMS = ['apps', 'mig', 'drain', 'mode', 'start', 'unlink', 'unload', 'remove'] as const;

/** Word of a program in a report. */
export type Program = (typeof PROGRAMS)[number];

/** First words of the lines that scripts write. */
const WORDS = [
  ...(['holder', 'scanned', 'persistenced', 'machine'] as const),
  ...PROGRAMS.flatMap((program) => [program, `${program}-exit`] as const),
];

/** Lines that begin with a path of the kernel's files, as `grep` writes them: by what they tell of, and what of them tells it. */
const OF_FILES = {
  gpu: /^(\/proc\/driver\/nvidia\/gpus\/.*)$/,
  module: /^\/proc\/modules:(\S+)/,
  removing: /^\/proc\/(\d+)\/cmdline$/,
} as const;

/** What a line tells of. */
export type Word = (typeof WORDS)[number] | keyof typeof OF_FILES;

/** What a script wrote: for each word the rest of its lines. */
export interface Report {
  of(word: Word): readonly string[];
}

/** Sorts the lines of a script. Its last line has to be `end`: else it was cut off, and says nothing. */
export function readReport(text: string): Read<Report> {
  const lines = linesOf(text);
  const last = lines.at(-1) ?? '';
  if (last !== 'end') return wrong('last line of the answer', last, '"end"');
  const byWord = new Map<string, string[]>([...WORDS, ...Object.keys(OF_FILES)].map((word) => [word, []]));
  for (const line of lines.slice(0, -1)) {
    const [word, rest] = line.startsWith('/') ? inFile(line) : ofWord(line);
    const found = byWord.get(word);
    if (found === undefined) return wrong('line of the answer', line, ACCEPTED);
    found.push(rest);
  }
  return ok({ of: (word) => byWord.get(word) ?? [] });
}

const ACCEPTED = `a line that begins with ${WORDS.join(', ')}, or with the path of a file in /proc that was asked for`;

function ofWord(line: string): readonly [word: string, rest: string] {
  const [, word = '', rest = ''] = /^([a-z-]+)(?: (.*))?$/.exec(line) ?? [];
  return Object.hasOwn(OF_FILES, word) ? NOTHING : [word, rest];
}

function inFile(line: string): readonly [word: string, rest: string] {
  for (const [word, pattern] of Object.entries(OF_FILES)) {
    const rest = pattern.exec(line)?.[1];
    if (rest !== undefined) return [word, rest];
  }
  return NOTHING;
}

const NOTHING = ['', ''] as const;

/** What a program said, and the exit code that it ended with. */
export interface Said {
  readonly lines: readonly string[];
  readonly code: number;
}

/** What `word` says of a program; undefined where it was not run. */
export function saidIn(report: Report, word: Program): Read<Said | undefined> {
  const [code, ...more] = report.of(`${word}-exit`);
  if (code === undefined) return ok(undefined);
  if (!/^\d{1,3}$/.test(code) || more.length > 0)
    return wrong(`${word}-exit`, [code, ...more].join(' '), 'one exit code');
  return ok({ lines: report.of(word).flatMap((line) => (line.trim() === '' ? [] : [line])), code: Number(code) });
}
