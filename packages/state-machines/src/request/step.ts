import { findRow } from '../table.ts';
import type { RequestDecision, RequestOutcome } from './decision.ts';
import type { RequestFacts, RequestWords } from './facts.ts';
import { requestLife } from './life.ts';

/** What was decided, and by which row of the table. */
export interface RequestStep {
  readonly row: string;
  readonly decision: RequestDecision;
}

/** The request machine: what to do next for a request, given what is known and how the last request ended. Pure. */
export function stepRequest(facts: RequestFacts, words: RequestWords, outcome?: RequestOutcome): RequestStep {
  const found = findRow(requestLife[facts.state], facts);
  if (found === undefined) return { row: 'no row', decision: { tag: 'nothing' } };
  return { row: found.name, decision: found.act(facts, words, outcome) };
}
