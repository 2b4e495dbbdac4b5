import { expect, test } from 'vitest';
import { stepResource, type ResourceDecision, type ResourceFacts } from '../../src/index.ts';
import {
  findRow,
  forEachCombination,
  resourceDomain,
  resourceLife,
  resourceOutcomes,
  type Act,
  type Row,
} from '../../src/catalogue.ts';
import { anyFacts, anyWords } from './facts.ts';

/** The facts on which the choice of a row depends, in a state. */
function namedIn(rows: readonly Row<ResourceFacts, Act>[]): (keyof ResourceFacts)[] {
  const names = new Set(rows.flatMap(({ when }) => Object.keys(when) as (keyof ResourceFacts)[]));
  names.delete('state');
  return [...names];
}

/** What an act may look at; with the row's conditions it makes the cases that differ. */
const READ_BY_ACTS = ['goal', 'ticket', 'visible', 'health', 'finalizer'] as const;

function expectSound(decision: ResourceDecision, row: string): void {
  const reports = [
    'report' in decision ? decision.report : undefined,
    'change' in decision && 'report' in decision.change ? decision.change.report : undefined,
  ];
  for (const report of reports) {
    if (report === undefined) continue;
    expect(resourceDomain.state.slice(1), row).toContain(report.state);
    expect(report.message, row).toMatch(/^.{5,}$/);
    expect(report.reason, row).toMatch(/^[A-Z][A-Za-z]+$/);
  }
  if ('again' in decision && decision.again.tag === 'after') expect(decision.again.ms).toBeGreaterThan(0);
}

let situations = 0;
let decisions = 0;
const deciding = new Set<Row<ResourceFacts, Act>>();
for (const state of resourceDomain.state) {
  const rows = resourceLife[state];
  const asked = new Set<string>();
  forEachCombination(resourceDomain, { ...anyFacts, state }, namedIn(rows), (facts) => {
    situations += 1;
    const row = findRow(rows, facts);
    if (row === undefined) throw new Error(`no row for ${JSON.stringify(facts)}`);
    deciding.add(row);
    const question = `${row.name} ${READ_BY_ACTS.map((name) => String(facts[name])).join()}`;
    if (asked.has(question)) return;
    asked.add(question);
    for (const health of resourceDomain.health) {
      for (const outcome of [undefined, ...resourceOutcomes]) {
        const step = stepResource({ ...facts, health }, anyWords, outcome);
        if (step.row !== row.name) throw new Error(`health chose the row ${step.row} for ${JSON.stringify(facts)}`);
        expectSound(step.decision, row.name);
        decisions += 1;
      }
    }
  });
}

test(`each of ${situations} situations has a row, and ${decisions} decisions with each outcome are sound`, () => {
  expect(situations).toBeGreaterThan(300_000);
  expect(decisions).toBeGreaterThan(10_000);
});

test('every row of the table decides in some situation', () => {
  const rows = Object.values(resourceLife).flat();
  expect(rows.filter((row) => !deciding.has(row)).map(({ name }) => name)).toEqual([]);
});

test('a row has a name of its own in its state', () => {
  for (const rows of Object.values(resourceLife)) {
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
});

test('an outcome that belongs to no request of the row is ignored', () => {
  const facts = { ...anyFacts, state: 'Attaching' } as const;
  const begun = stepResource(facts, anyWords);
  expect(begun.decision).toEqual({ tag: 'request', request: 'ensureDriver' });
  const foreign = stepResource(facts, anyWords, { request: 'drain', tag: 'done' });
  expect(foreign).toEqual(begun);
});
