import type { ResourceDecision } from './decision.ts';
import type { ResourceFacts, ResourceWords } from './facts.ts';
import { findRow } from '../table.ts';
import { life } from './life.ts';
import type { ResourceOutcome } from './outcome.ts';

/** What was decided, and by which row of the table. */
export interface ResourceStep {
  readonly row: string;
  readonly decision: ResourceDecision;
}

/**
 * The resource machine: what to do next for a device, given what is known and how the last request ended. Pure. An
 * outcome that no longer belongs to the situation is ignored.
 */
export function stepResource(facts: ResourceFacts, words: ResourceWords, outcome?: ResourceOutcome): ResourceStep {
  const found = findRow(life[facts.state], facts);
  if (found === undefined) return { row: 'no row', decision: { tag: 'nothing' } };
  return { row: found.name, decision: found.act(facts, words, outcome) };
}
