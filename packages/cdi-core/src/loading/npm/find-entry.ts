import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exports, legacy } from 'resolve.exports';
import { parseJson } from '../../json/parse-json.ts';
import { cleanText } from '../../text/clean-text.ts';
import { isRecord } from '../is-record.ts';

/** The file that `import` of a package loads, or why it cannot be loaded. */
export type FoundEntry =
  { readonly tag: 'found'; readonly file: string } | { readonly tag: 'failed'; readonly message: string };

/** Finds the main entry of a package as Node does for `import`, and sees to it that it is an ES module before any of it runs. */
export async function findEntry(folder: string, manifest: Readonly<Record<string, unknown>>): Promise<FoundEntry> {
  const target = targetOf(manifest);
  if (target.tag === 'failed') return target;
  const file = join(folder, target.path);
  if (!file.startsWith(folder + sep)) return failed(`its entry ${cleanText(target.path)} is outside of it`);
  if (!existsSync(file)) return failed(`its entry ${file} does not exist: is it built?`);
  return (await isEsModule(file))
    ? { tag: 'found', file }
    : failed(
        `its entry ${file} is no ES module: set "type": "module" in its package.json and export by "export default"`,
      );
}

function targetOf(
  manifest: Readonly<Record<string, unknown>>,
): { readonly tag: 'path'; readonly path: string } | { readonly tag: 'failed'; readonly message: string } {
  if (manifest['exports'] === undefined) {
    const main = legacy(manifest, { browser: false, fields: ['main'] });
    return { tag: 'path', path: typeof main === 'string' ? main : 'index.js' };
  }
  try {
    // Conditions as Node's `import` has them; the order is that of the manifest.
    const [path] = exports(manifest, '.', { conditions: ['module-sync'] }) ?? [];
    return path === undefined ? failed('its exports have no entry "."') : { tag: 'path', path };
  } catch (error) {
    return failed(`its exports have no entry for import: ${cleanText(error instanceof Error ? error.message : '')}`);
  }
}

async function isEsModule(file: string): Promise<boolean> {
  switch (extname(file)) {
    case '.mjs':
      return true;
    case '.js': {
      const manifest = findPackageJSON(pathToFileURL(file));
      if (manifest === undefined) return false;
      const parsed = parseJson(await readFile(manifest, 'utf8'));
      return parsed.tag !== 'malformed' && isRecord(parsed.value) && parsed.value['type'] === 'module';
    }
    default:
      return false;
  }
}

function failed(message: string): { readonly tag: 'failed'; readonly message: string } {
  return { tag: 'failed', message };
}
