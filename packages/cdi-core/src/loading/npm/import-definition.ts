import { pathToFileURL } from 'node:url';
import type { Clock } from '@cro/clock';
import { cleanText } from '../../text/clean-text.ts';
import { checkDefinition, type FoundDefinition } from '../check-definition.ts';
import { isRecord } from '../is-record.ts';
import { findEntry } from './find-entry.ts';
import { findPackage, type PackagePlaces } from './find-package.ts';
import { isPackageName } from './package-name.ts';

/** Where to import from, and what the definition must not be called. */
export interface ImportOptions extends PackagePlaces {
  readonly clock: Clock;
  /** Names that tickets have already: those of the built-in providers. */
  readonly taken: readonly string[];
}

/** A module that awaits something that never comes would keep the process from starting, and from saying why. */
const IMPORT_MS = 30_000;

/** Imports the definition that an npm package exports by default. What is wrong with it is told in one line, its name in front. */
export async function importDefinition(name: string, options: ImportOptions): Promise<FoundDefinition> {
  const outcome = isPackageName(name)
    ? await importChecked(name, options)
    : failed('that is no name of an npm package; accepted: name or @scope/name in lower case, without version or path');
  return outcome.tag === 'found' ? outcome : failed(`provider package '${cleanText(name, 214)}': ${outcome.message}`);
}

async function importChecked(name: string, options: ImportOptions): Promise<FoundDefinition> {
  const found = await findPackage(name, options);
  if (found.tag === 'failed') return found;
  const entry = await findEntry(found.folder, found.manifest);
  if (entry.tag === 'failed') return entry;
  const imported = await importWithin(options.clock, entry.file);
  if (imported.tag === 'failed') return imported;
  if (!('default' in imported.exports)) {
    const names = Object.keys(imported.exports).join(', ');
    return failed(
      `${entry.file} has no default export (it exports ${names === '' ? 'nothing' : cleanText(names)}); accepted: export default defineProvider({ ... })`,
    );
  }
  const checked = checkDefinition(imported.exports['default']);
  if (checked.tag === 'failed') return failed(`its default export is not accepted: ${checked.message}`);
  const { name: called } = checked.definition;
  return options.taken.includes(called)
    ? failed(`it calls its provider '${called}', and a built-in one is called so: tickets could not be told apart`)
    : checked;
}

type Imported =
  | { readonly tag: 'imported'; readonly exports: Readonly<Record<string, unknown>> }
  | { readonly tag: 'failed'; readonly message: string };

function importWithin(clock: Clock, file: string): Promise<Imported> {
  return new Promise((resolve) => {
    const cancel = clock.after(IMPORT_MS, () => {
      resolve(failed(`the import of ${file} did not end within ${IMPORT_MS / 1000} s`));
    });
    void importFile(file).then((imported) => {
      cancel();
      resolve(imported);
    });
  });
}

async function importFile(file: string): Promise<Imported> {
  try {
    const exports: unknown = await import(pathToFileURL(file).href);
    return isRecord(exports) ? { tag: 'imported', exports } : failed(`${file} is no module`);
  } catch (error) {
    return failed(`the import of ${file} failed: ${cleanText(error instanceof Error ? error.message : String(error))}`);
  }
}

function failed(message: string): { readonly tag: 'failed'; readonly message: string } {
  return { tag: 'failed', message };
}
