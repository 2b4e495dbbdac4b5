import type { Ask } from './ask.ts';
import { compareText, firstDifference } from './order.ts';
import type { NodeSnapshot } from './types.ts';

/** How good a node is among those that pass the filters. */
export interface Score {
  /** Unique name, lower camel case. */
  readonly name: string;
  /** The lower, the better. */
  readonly of: (node: NodeSnapshot, ask: Ask) => number;
}

const fewestDevices: Score = { name: 'fewestDevices', of: (node) => node.composedDevices };

/** The scores of this operator. A later one decides only where all before it are equal; the name of the node decides last. */
export const defaultScores: readonly Score[] = [fewestDevices];

/** Sorts nodes, best first. */
export function rank(nodes: readonly NodeSnapshot[], ask: Ask, scores: readonly Score[]): readonly NodeSnapshot[] {
  return [...nodes].sort((a, b) =>
    firstDifference([...scores.map((score) => score.of(a, ask) - score.of(b, ask)), compareText(a.name, b.name)]),
  );
}
