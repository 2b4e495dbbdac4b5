import { writeFileSync } from 'node:fs';
import type { Decided } from '../../src/index.ts';
import { fingerprint } from '../../src/report/fingerprint.ts';
import { factsOf } from './replay.ts';
import { tellStories } from './stories.ts';

/*
 * Records what this release decides in the stories, one line for each situation that differs from those before:
 * `npm run traces:record -- v0.1.0`. A file is written once, for a release, and never again.
 */

const [release = ''] = process.argv.slice(2);
if (!/^v\d+\.\d+\.\d+$/.test(release))
  throw new Error(`which release? found '${release}', accepted: v<major>.<minor>.<patch>`);
const lines = new Map<string, string>();
await tellStories((step: Decided) => {
  const facts = factsOf(step);
  const key = fingerprint([step.kind, step.row, facts, step.outcome?.request, step.decision.tag]);
  if (!lines.has(key)) lines.set(key, JSON.stringify({ ...step, facts }));
});
const file = new URL(`${release}.jsonl`, import.meta.url);
// `wx`: what a release has recorded is not written over.
writeFileSync(file, `${[...lines.values()].join('\n')}\n`, { flag: 'wx' });
process.stdout.write(`${lines.size} situations in ${file.pathname}\n`);
