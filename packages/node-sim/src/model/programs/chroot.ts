import type { Shell } from '../shell/shell.ts';
import { complained, type Program } from './program.ts';

/** chroot's own failures, and that there is no such program. */
const CANNOT_CHANGE = 125;
const NO_SUCH_PROGRAM = 127;

/** `chroot`: runs a command in another root. `roots` says which there are, by the path of each in this one. */
export function chroot(roots: ReadonlyMap<string, Shell>): Program {
  return ({ args: [root = '', ...argv], stdin, signal }) => {
    const shell = roots.get(root.replace(/(?<=.)\/+$/u, ''));
    if (shell === undefined) {
      const words = `chroot: cannot change root directory to '${root}': No such file or directory\n`;
      return complained(CANNOT_CHANGE, words);
    }
    const [path = '/bin/sh'] = argv;
    if (shell.has(path)) return shell.run(argv, stdin, signal);
    return complained(NO_SUCH_PROGRAM, `chroot: failed to run command '${path}': No such file or directory\n`);
  };
}
