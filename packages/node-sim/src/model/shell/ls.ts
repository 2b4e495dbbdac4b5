import { defineCommand, type ExecResult, type IFileSystem } from 'just-bash/browser';

/** Options that change nothing here, beside `-l`: no owner has a name, and every letter of a file's name prints. */
const KNOWN = /^-[lqn1]+$/u;
/** GNU's exit code for an operand that is not there. */
const SERIOUS = 2;

/**
 * `ls -l` and `-q` as GNU has them: just-bash's shows what is behind a link, and not the link. All else is just-bash's. `fs` are the files
 * that the shell has: its own way to them costs many times what a look at one does.
 */
export function ls(fs: IFileSystem) {
  return defineCommand('ls', async (args, { origCommand, cwd }) => {
    const options = args.filter((word) => word.startsWith('-'));
    const isLong = options.every((word) => KNOWN.test(word)) && options.some((word) => word.includes('l'));
    const paths = args.filter((word) => !word.startsWith('-'));
    if (isLong || origCommand === undefined) return listed(paths.length === 0 ? [cwd] : paths, fs, cwd);
    return origCommand(
      args.map((word) => (KNOWN.test(word) ? word.replaceAll('q', '') : word)).filter((word) => word !== '-'),
    );
  });
}

async function listed(paths: readonly string[], fs: IFileSystem, cwd: string): Promise<ExecResult> {
  const files: string[] = [];
  const folders: string[] = [];
  let stderr = '';
  for (const path of paths) {
    const full = fs.resolvePath(cwd, path);
    if (!(await fs.exists(full))) stderr += `ls: cannot access '${path}': No such file or directory\n`;
    else if ((await fs.stat(full)).isDirectory) {
      const names = (await fs.readdir(full)).sort();
      const lines = await Promise.all(names.map((name) => line(fs, `${full}/${name}`, name)));
      folders.push(`${paths.length > 1 ? `${path}:\n` : ''}total 0\n${lines.join('')}`);
    } else files.push(await line(fs, full, path));
  }
  const blocks = [...(files.length > 0 ? [files.join('')] : []), ...folders];
  return { stdout: blocks.join('\n'), stderr, exitCode: stderr === '' ? 0 : SERIOUS };
}

async function line(fs: IFileSystem, path: string, name: string): Promise<string> {
  const { isSymbolicLink, isDirectory, size } = await fs.lstat(path);
  const mode = isSymbolicLink ? 'lrwx------' : isDirectory ? 'drwxr-xr-x' : '-rw-r--r--';
  const target = isSymbolicLink ? ` -> ${await fs.readlink(path)}` : '';
  return `${mode} 1 root root ${isSymbolicLink ? 64 : size} Jan  1 00:00 ${name}${target}\n`;
}
