import {
  requestFacts,
  requestStateOf,
  requestWords,
  resourceFacts,
  resourceStateOf,
  resourceWords,
  stepRequest,
  stepResource,
} from '@cro/state-machines';
import type { Decided } from '../../src/index.ts';

/** The facts of a recorded situation, as this release sees them. */
export function factsOf(step: Decided): object {
  if (step.kind === 'resource') return resourceFacts(step.object, resourceStateOf(step.object) ?? '', step.known);
  return requestFacts(step.object, requestStateOf(step.object) ?? '', step.children, step.known);
}

/** What this release decides in a recorded situation. */
export function decide(step: Decided): { readonly row: string; readonly decision: object } {
  if (step.kind === 'resource') {
    const facts = resourceFacts(step.object, resourceStateOf(step.object) ?? '', step.known);
    return stepResource(facts, resourceWords(step.object, step.known), step.outcome);
  }
  const facts = requestFacts(step.object, requestStateOf(step.object) ?? '', step.children, step.known);
  return stepRequest(facts, requestWords(step.object, step.children), step.outcome);
}
