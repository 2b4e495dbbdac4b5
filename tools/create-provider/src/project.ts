import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Names } from './names.ts';

/** The files of the project that everyone begins with. */
export const TEMPLATE = join(import.meta.dirname, '../template');

/** What the template calls itself; the longer one first. */
const PLACEHOLDER = /cdi-my-fabric|my-fabric/g;

/** Whether something is there already that a new project would be mixed with. */
export async function isTaken(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

/** Writes a project under its own names into a folder. Answers the paths of its files below that. */
export async function writeProject(folder: string, names: Names): Promise<readonly string[]> {
  const files = await filesBelow(TEMPLATE);
  for (const file of files) {
    const text = await readFile(join(TEMPLATE, file), 'utf8');
    const target = join(folder, writtenAs(file));
    await mkdir(dirname(target), { recursive: true });
    // `wx`: never over a file that came in the meantime.
    await writeFile(target, renamed(text, names), { flag: 'wx' });
  }
  return files.map(writtenAs);
}

/** An underscore hides from npm, and from the compiler here, what means something to them where it lies. */
function writtenAs(file: string): string {
  return file.replace(/^_(gitignore)$/, '.$1').replace(/^_/, '');
}

function renamed(text: string, { packageName, providerName }: Names): string {
  return text.replaceAll(PLACEHOLDER, (found) => (found === 'my-fabric' ? providerName : packageName));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
