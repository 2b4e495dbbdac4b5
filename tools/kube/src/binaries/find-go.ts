import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../folders.ts';

/** Where Go's own installer puts it, which not every PATH names. */
const INSTALLED = '/usr/local/go/bin';

/** Path of the `go` command; nothing when there is none. */
export function findGo({ PATH = '' }: Environment): string | undefined {
  return [...PATH.split(':'), INSTALLED]
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'go'))
    .find(isExecutable);
}

/** Whether a file is there and can be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Whatever the cause: it cannot be run.
    return false;
  }
}
