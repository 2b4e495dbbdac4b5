import { expect, test } from 'vitest';
import { stepRequest, type RequestDecision, type RequestFacts } from '../../src/index.ts';
import {
  findRow,
  forEachCombination,
  requestDomain,
  requestLife,
  requestOutcomes,
  type RequestAct,
  type Row,
} from '../../src/catalogue.ts';
import { anyRequestFacts, anyRequestWords } from './facts.ts';

const NAMES = (Object.keys(requestDomain) as (keyof RequestFacts)[]).filter((name) => name !== 'state');

function expectSound(decision: RequestDecision, facts: RequestFacts): void {
  const report =
    'report' in decision
      ? decision.report
      : decision.tag === 'save' && 'report' in decision.change
        ? decision.change.report
        : undefined;
  if (report === undefined) return;
  if (!requestDomain.state.includes(report.state) || report.message.length < 5 || report.reason.length < 4)
    throw new Error(`unsound report ${JSON.stringify(report)} for ${JSON.stringify(facts)}`);
  // Nobody is told that the state is another one but by a save: a wait stays where it is, or finds no place.
  if (decision.tag === 'wait' && report.state !== facts.state) expect(report.state).toBe('NodeAllocating');
}

let situations = 0;
let decisions = 0;
const deciding = new Set<Row<RequestFacts, RequestAct>>();
for (const state of requestDomain.state) {
  forEachCombination(requestDomain, { ...anyRequestFacts, state }, NAMES, (facts) => {
    situations += 1;
    const row = findRow(requestLife[state], facts);
    if (row === undefined) throw new Error(`no row for ${JSON.stringify(facts)}`);
    deciding.add(row);
    for (const outcome of [undefined, ...requestOutcomes]) {
      expectSound(stepRequest(facts, anyRequestWords, outcome).decision, facts);
      decisions += 1;
    }
  });
}

test(`each of ${situations} situations has a row, and ${decisions} decisions with each outcome are sound`, () => {
  expect(situations).toBe(Object.values(requestDomain).reduce((product, values) => product * values.length, 1));
  expect(decisions).toBe(situations * (requestOutcomes.length + 1));
});

test('every row of the table decides in some situation', () => {
  const rows = Object.values(requestLife).flat();
  expect(rows.filter((row) => !deciding.has(row)).map(({ name }) => name)).toEqual([]);
});

test('a row has a name of its own in its state', () => {
  for (const rows of Object.values(requestLife)) {
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  }
});
