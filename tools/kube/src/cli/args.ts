import { parseArgs } from 'node:util';
import { parseVersion, PROVEN, type Version } from '../version.ts';

/** What is to be done. */
export type Command = 'up' | 'down' | 'env';

/** What the command line says. */
export type Args =
  | { readonly tag: 'ok'; readonly command: Command; readonly version: Version }
  | { readonly tag: 'print'; readonly text: string }
  | { readonly tag: 'invalid'; readonly problem: string };

const USAGE = `usage: npm run kube -- up|down|env [--version ${PROVEN.join('|')}]

  up    starts etcd and kube-apiserver on 127.0.0.1, and prints the same as env
  env   prints what a shell needs to use it: eval "$(npm run --silent kube -- env)"
  down  stops them and throws their data away

Programs are taken from KUBEBUILDER_ASSETS where that is set; else they are built with Go, once a version.
`;

/** Reads the command line. */
export function parseKubeArgs(argv: readonly string[]): Args {
  const read = readArgs(argv);
  if (read.tag === 'invalid') return read;
  const { help, version: text, words } = read;
  if (help) return { tag: 'print', text: USAGE };
  const [command, ...rest] = words;
  if (rest.length > 0 || !isCommand(command)) {
    return {
      tag: 'invalid',
      problem: `the command is ${JSON.stringify(words.join(' '))}; accepted is up, down or env`,
    };
  }
  const version = parseVersion(text);
  if (version !== undefined) return { tag: 'ok', command, version };
  return { tag: 'invalid', problem: `--version is ${JSON.stringify(text)}; accepted is a release like ${PROVEN[0]}` };
}

function readArgs(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { help: { type: 'boolean', default: false }, version: { type: 'string', default: PROVEN[0] } },
      allowPositionals: true,
    });
    return { tag: 'read', ...values, words: positionals } as const;
  } catch (error) {
    return { tag: 'invalid', problem: error instanceof Error ? error.message : String(error) } as const;
  }
}

function isCommand(word: string | undefined): word is Command {
  return word === 'up' || word === 'down' || word === 'env';
}
