import { parseArgs } from 'node:util';
import { BINARIES, type BinaryName } from '../binaries/binary.ts';
import { parseVersion, PROVEN, type Version } from '../version.ts';

/** What is to be done. */
export type Command =
  | { readonly tag: 'up'; readonly controllers: boolean }
  | { readonly tag: 'down' }
  | { readonly tag: 'env' }
  | { readonly tag: 'build'; readonly binary: BinaryName };

/** What the command line says. */
export type Args =
  | { readonly tag: 'ok'; readonly command: Command; readonly version: Version }
  | { readonly tag: 'print'; readonly text: string }
  | { readonly tag: 'invalid'; readonly problem: string };

const USAGE = `usage: npm run kube -- up|down|env [--version ${PROVEN.join('|')}] [--controllers]
       npm run kube -- build ${BINARIES.join('|')} [--version ...]

  up    starts etcd and kube-apiserver on 127.0.0.1, and prints the same as env;
        with --controllers kube-controller-manager and kube-scheduler too
  env   prints what a shell needs to use it: eval "$(npm run --silent kube -- env)"
  down  stops them and throws their data away
  build builds one program into the cache if it is not there, and prints its path

Programs are taken from KUBEBUILDER_ASSETS where that is set; else they are built with Go, once a version.
`;

/** Reads the command line. */
export function parseKubeArgs(argv: readonly string[]): Args {
  const read = readArgs(argv);
  if (read.tag === 'invalid') return read;
  const { help, version: text, controllers, words } = read;
  if (help) return { tag: 'print', text: USAGE };
  const command = commandOf(words, controllers ?? false);
  if (command === undefined) {
    const accepted = `up, down, env, or build with one of ${BINARIES.join(', ')}`;
    return { tag: 'invalid', problem: `the command is ${JSON.stringify(words.join(' '))}; accepted is ${accepted}` };
  }
  if (controllers !== undefined && command.tag !== 'up') {
    return { tag: 'invalid', problem: `--controllers was given with ${command.tag}; it belongs to up` };
  }
  const version = parseVersion(text);
  if (version !== undefined) return { tag: 'ok', command, version };
  return { tag: 'invalid', problem: `--version is ${JSON.stringify(text)}; accepted is a release like ${PROVEN[0]}` };
}

function readArgs(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', default: false },
        version: { type: 'string', default: PROVEN[0] },
        controllers: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    return { tag: 'read', ...values, words: positionals } as const;
  } catch (error) {
    return { tag: 'invalid', problem: error instanceof Error ? error.message : String(error) } as const;
  }
}

function commandOf([word, ...rest]: readonly string[], controllers: boolean): Command | undefined {
  if (word === 'build') {
    const binary = BINARIES.find((name) => name === rest[0]);
    return binary === undefined || rest.length > 1 ? undefined : { tag: 'build', binary };
  }
  if (rest.length > 0) return undefined;
  if (word === 'up') return { tag: 'up', controllers };
  return word === 'down' || word === 'env' ? { tag: word } : undefined;
}
