import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseJson } from '../../json/parse-json.ts';
import { cleanText } from '../../text/clean-text.ts';
import { isRecord } from '../is-record.ts';

/** Where packages are looked for. */
export interface PackagePlaces {
  /** A folder with the package in its node_modules, or the package's own. Absent: node_modules beside the program. */
  readonly path?: string | undefined;
  /** Folder of the program. node_modules is looked for there and in the folders above, as Node does. */
  readonly program: string;
}

/** The folder of a package and its package.json, or why there is none. */
export type FoundPackage =
  | { readonly tag: 'found'; readonly folder: string; readonly manifest: Readonly<Record<string, unknown>> }
  | { readonly tag: 'failed'; readonly message: string };

interface Candidate {
  readonly folder: string;
  /** Whether the folder says nothing about whose it is, so that its package.json has to. */
  readonly byName: boolean;
}

/** Finds a package by its name, which has passed `isPackageName`. */
export async function findPackage(name: string, places: PackagePlaces): Promise<FoundPackage> {
  const candidates = candidatesFor(name, places);
  const looked: string[] = [];
  for (const { folder, byName } of candidates) {
    const file = join(folder, 'package.json');
    const text = await textOf(file);
    if (text.tag === 'failed') return text;
    if (text.tag === 'absent') {
      looked.push(folder);
      continue;
    }
    const parsed = parseJson(text.text);
    if (parsed.tag === 'malformed' || !isRecord(parsed.value)) return failed(`${file} holds no JSON object`);
    const { name: found } = parsed.value;
    if (!byName || found === name) return { tag: 'found', folder, manifest: parsed.value };
    looked.push(`${folder} (which is '${cleanText(String(found), 64)}')`);
  }
  return failed(`not found; looked for in: ${looked.join(', ')}`);
}

function candidatesFor(name: string, { path, program }: PackagePlaces): readonly Candidate[] {
  const installed = (folder: string) => ({ folder: join(folder, 'node_modules', name), byName: false });
  if (path !== undefined) return [installed(resolve(path)), { folder: resolve(path), byName: true }];
  return upwards(resolve(program)).map(installed);
}

function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

type Text =
  | { readonly tag: 'text'; readonly text: string }
  | { readonly tag: 'absent' }
  | { readonly tag: 'failed'; readonly message: string };

async function textOf(file: string): Promise<Text> {
  try {
    return { tag: 'text', text: await readFile(file, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { tag: 'absent' };
    return failed(`${file} cannot be read: ${error instanceof Error ? cleanText(error.message) : String(error)}`);
  }
}

function failed(message: string): { readonly tag: 'failed'; readonly message: string } {
  return { tag: 'failed', message };
}
