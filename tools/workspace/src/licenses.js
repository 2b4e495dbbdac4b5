import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that may go into a bundle: permissive, with nothing to do but to pass their text on. */
const ACCEPTED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
]);

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u;

/** Names that a manifest gives: `MIT`, `(MIT OR GPL-2.0)`, or the object of old times. */
function namesOf({ license }) {
  const text = typeof license === 'object' ? license.type : license;
  return (text ?? '').replaceAll(/[()]/gu, '').split(/\s+OR\s+/u);
}

function textsOf(folder) {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice)/iu.test(name));
  return files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/**
 * The notices of every package that `inputs` (paths of bundled files) come from. Throws when one of them may not be passed on
 * like this.
 */
export function noticesOf(inputs) {
  const folders = new Set(inputs.flatMap((path) => path.match(PACKAGE) ?? []));
  const notices = [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const names = namesOf(manifest);
    if (!names.some((name) => ACCEPTED.has(name))) {
      throw new Error(
        `${manifest.name}: licence ${names.join(' or ') || 'unknown'} is none of ${[...ACCEPTED].join(', ')}`,
      );
    }
    return [`${manifest.name} ${manifest.version} (${names.join(' or ')})`, ...textsOf(folder)].join('\n\n');
  });
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
