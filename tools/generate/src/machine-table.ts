import type { Row } from '@cro/state-machines/catalogue';
import type { Machine } from './machine-picture.ts';

/** A machine's table as Markdown: for each state the rows that can fit in it, in the order in which they are tried. */
export function machineTable<Facts extends object, Act>({ life, domainIn }: Machine<Facts, Act>): string {
  return Object.entries(life)
    .map(([state, rows]) => {
      const domain: Readonly<Record<string, readonly unknown[]>> = domainIn(state);
      const lines = rows
        .filter((row) => canFit(row, domain))
        .map((row, index) => `| ${index + 1} | ${row.name} | ${conditionOf(row)} |`);
      const title = state === '' ? '(new)' : state;
      return [`### ${title}`, '', '| # | row | when |', '| --- | --- | --- |', ...lines].join('\n');
    })
    .join('\n\n');
}

function canFit<Facts extends object>(
  { when }: Row<Facts, unknown>,
  domain: Readonly<Record<string, readonly unknown[]>>,
): boolean {
  return Object.entries(when).every(([name, values]) => listOf(values).some((value) => domain[name]?.includes(value)));
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [values];
}

function conditionOf<Facts extends object>({ when }: Row<Facts, unknown>): string {
  const parts = Object.entries(when)
    .filter(([name]) => name !== 'state')
    .map(([name, values]) => `\`${name}\` ${wordsOf(values)}`);
  return parts.length === 0 ? 'otherwise' : parts.join(', ');
}

function wordsOf(values: unknown): string {
  return listOf(values).map(String).join(' or ');
}
