import { Bash, defineCommand, type Command, type CommandName } from 'just-bash/browser';
import type { Entries, Entry } from '../files/entry.ts';
import { ModelFs } from '../files/model-fs.ts';
import { behindLinks } from '../files/resolve.ts';
import type { CommandResult } from '../node-model.ts';
import { asInSh } from './as-in-sh.ts';
import { grep } from './grep.ts';
import { ls } from './ls.ts';
import { complained, type Program } from '../programs/program.ts';

/** What of coreutils, grep, sed, awk and findutils the shell brings along. All else comes from the model. */
export const TOOLS = [
  ...(['awk', 'basename', 'cat', 'cut', 'dirname', 'echo', 'env', 'expr', 'false', 'find', 'grep', 'head'] as const),
  ...(['ls', 'printf', 'readlink', 'rm', 'sed', 'seq', 'sh', 'sort', 'stat', 'tail', 'tee', 'tr', 'true'] as const),
  ...(['uniq', 'wc', 'xargs'] as const),
] satisfies readonly CommandName[];

const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** What a program ends with that is not there, and one that was killed with SIGTERM. */
const NO_SUCH_PROGRAM = 127;
const KILLED = 143;

/** Runs commands in one root: its files are `files`, its own programs stand there as `programFiles` says. */
export class Shell {
  readonly #files: () => Entries;
  readonly #programs: Readonly<Record<string, Program>>;
  readonly #make: () => Bash;
  #bash: Bash | undefined;

  constructor(files: () => Entries, programs: Readonly<Record<string, Program>>) {
    this.#files = files;
    this.#programs = programs;
    // Made when the first command comes: of many nodes few are sent one.
    this.#make = () => {
      const fs = new ModelFs(files);
      const bash = new Bash({
        fs,
        cwd: '/',
        env: { PATH: PATH.join(':') },
        commands: [...TOOLS],
        customCommands: [
          grep(fs),
          ls(fs),
          ...Object.entries(programs).map(([name, program]) => commandOf(name, program)),
        ],
      });
      bash.registerTransformPlugin(asInSh);
      return bash;
    };
  }

  /** Whether there is a program under that path, or of that name where the shell looks for programs. */
  has(program: string): boolean {
    return this.#find(program) !== undefined;
  }

  /** Runs a program of this root. `argv` goes to it as it is. */
  async run(argv: readonly string[], stdin: string, signal: AbortSignal): Promise<CommandResult> {
    const [program = '', ...args] = argv;
    const file = this.#find(program);
    if (file === undefined) {
      return complained(NO_SUCH_PROGRAM, `exec: ${JSON.stringify(program)}: executable file not found in $PATH\n`);
    }
    const ofModel = file.program === undefined ? undefined : this.#programs[file.program];
    const ended =
      ofModel === undefined
        ? await this.#runInShell(program, args, stdin, signal)
        : await ofModel({ args, stdin, signal });
    return signal.aborted ? complained(KILLED, '') : ended;
  }

  async #runInShell(program: string, args: string[], stdin: string, signal: AbortSignal): Promise<CommandResult> {
    const quoted = `'${program.replaceAll("'", "'\\''")}'`;
    this.#bash ??= this.#make();
    const { stdout, stderr, exitCode } = await this.#bash.exec(quoted, { args, stdin, signal });
    return { stdout, stderr, exitCode };
  }

  #find(program: string): ProgramFile | undefined {
    const entries = this.#files();
    const paths = program.includes('/') ? [program] : PATH.map((folder) => `${folder}/${program}`);
    for (const path of paths) {
      const entry = entries.get(behindLinks(entries, path, true) ?? '');
      if (entry?.tag === 'file' && entry.executable === true) return entry;
    }
    return undefined;
  }
}

type ProgramFile = Extract<Entry, { tag: 'file' }>;

/**
 * The files of a program of the model. just-bash calls a command that was given to it where a file of that name is in `/bin` or
 * `/usr/bin`, and runs what else is executable as a script: so the program is under a hidden name there, and its file calls it.
 * Where no shell runs it, it is called without one.
 */
export function programFiles(path: string, name: string): readonly (readonly [string, Entry])[] {
  const hidden = `/usr/bin/${hiddenName(name)}`;
  return [
    [hidden, { tag: 'file', text: '', executable: true }],
    [path, { tag: 'file', text: `${hidden} "$@"\n`, executable: true, program: name }],
  ];
}

function commandOf(name: string, program: Program): Command {
  return defineCommand(hiddenName(name), async (args, { stdin, signal }) =>
    program({ args, stdin: String(stdin), signal: signal ?? new AbortController().signal }),
  );
}

function hiddenName(name: string): string {
  return `.model-${name}`;
}
