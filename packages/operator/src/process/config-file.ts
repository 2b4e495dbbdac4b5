import { readFileSync } from 'node:fs';
import { loadAll, YAMLException } from 'js-yaml';
import { problemOf } from './problem-of.ts';

/** The value that a file holds (`undefined` for an empty one), or what is wrong with it, in a line. */
export type ConfigFile =
  { readonly tag: 'ok'; readonly value: unknown } | { readonly tag: 'invalid'; readonly problem: string };

/** Reads a configuration from a YAML file, and so from a JSON file. What is wrong is told without quoting from it. */
export function readConfigFile(file: string, variable: string): ConfigFile {
  const invalid = (problem: string) =>
    ({ tag: 'invalid', problem: `the env variable ${variable} names '${file}': ${problem}` }) as const;
  try {
    const documents = loadAll(readFileSync(file, 'utf8'));
    return documents.length > 1 ? invalid('it holds more than one document') : { tag: 'ok', value: documents[0] };
  } catch (error) {
    return invalid(inWords(error));
  }
}

function inWords(error: unknown): string {
  if (!(error instanceof YAMLException)) return problemOf(error);
  const { reason, mark } = error;
  return `it is no YAML: ${reason}${mark === undefined ? '' : ` in line ${mark.line + 1}`}`;
}
