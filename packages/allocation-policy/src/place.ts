import type { Ask } from './ask.ts';
import type { Filter } from './filters.ts';
import { rank, type Score } from './scores.ts';
import type { Child, NodeSnapshot, UnplaceableReason } from './types.ts';

/** The rules of placement. Add to the defaults to extend them. */
export interface PlacementRules {
  /** All of them have to pass. */
  readonly filters: readonly Filter[];
  /** They sort what passes. */
  readonly scores: readonly Score[];
}

/** One node name for each new child, or why there is no place. */
export type Placement =
  | { readonly tag: 'placed'; readonly nodes: readonly string[] }
  | { readonly tag: 'refused'; readonly reason: UnplaceableReason; readonly message: string };

/** What a placement is made of: `missing` children are to be added to `kept`. */
export interface PlacementInput {
  readonly ask: Ask;
  readonly missing: number;
  readonly kept: readonly Child[];
  readonly nodes: readonly NodeSnapshot[];
}

const TOO_FEW = 'insufficient number of available nodes';
const TARGET_UNFIT = "TargetNode does not meet spec's requirements";

/** Chooses the nodes of the missing children. */
export function place(input: PlacementInput, rules: PlacementRules): Placement {
  if (input.missing === 0) return { tag: 'placed', nodes: [] };
  return input.ask.policy === 'samenode' ? placeTogether(input, rules) : placeApart(input, rules);
}

function placeTogether({ ask, missing, kept, nodes }: PlacementInput, rules: PlacementRules): Placement {
  const own = kept[0]?.node;
  const placed = (node: string): Placement => ({ tag: 'placed', nodes: Array<string>(missing).fill(node) });
  const only = own ?? ask.target;
  if (only === undefined) {
    const [best] = rank(fitting(nodes, ask, rules.filters), ask, rules.scores);
    return best === undefined ? tooFew(1, nodes, ask, rules.filters) : placed(best.name);
  }
  const node = nodes.find(({ name }) => name === only);
  if (node === undefined)
    return { tag: 'refused', reason: 'TargetNodeMissing', message: `target node ${only} not found` };
  const refusing = rules.filters
    .filter((filter) => own === undefined || filter.judgesOwnNode)
    .filter((filter) => !filter.passes(node, ask));
  return refusing.length === 0 ? placed(only) : refuseOnly(node, refusing, ask);
}

/** The one node that could be used is refused. */
function refuseOnly(node: NodeSnapshot, refusing: readonly Filter[], ask: Ask): Placement {
  const problems = refusing.map((filter) => filter.problem(ask, node)).join(', ');
  const isTarget = ask.target === node.name;
  const conflict = refusing.every((filter) => filter.refusal === 'Conflict');
  const reason = conflict ? 'Conflict' : isTarget ? 'TargetNodeUnfit' : 'InsufficientNodes';
  const message = isTarget
    ? `${TARGET_UNFIT}: node ${node.name}: ${problems}`
    : `${TOO_FEW}: node ${node.name}, which holds the other devices of this request: ${problems}`;
  return { tag: 'refused', reason, message };
}

function placeApart({ ask, missing, kept, nodes }: PlacementInput, rules: PlacementRules): Placement {
  if (ask.target !== undefined) {
    const message = `target_node ${ask.target} cannot be combined with allocation_policy differentnode: remove one of them`;
    return { tag: 'refused', reason: 'TargetNodeUnfit', message };
  }
  const others = nodes.filter(({ name }) => kept.every((child) => child.node !== name));
  const fit = rank(fitting(others, ask, rules.filters), ask, rules.scores);
  if (fit.length < missing) return tooFew(missing, others, ask, rules.filters);
  return { tag: 'placed', nodes: fit.slice(0, missing).map(({ name }) => name) };
}

function fitting(nodes: readonly NodeSnapshot[], ask: Ask, filters: readonly Filter[]): readonly NodeSnapshot[] {
  return nodes.filter((node) => filters.every((filter) => filter.passes(node, ask)));
}

/** Says how many nodes each filter refused; a node counts for the first filter that refuses it. */
function tooFew(needed: number, nodes: readonly NodeSnapshot[], ask: Ask, filters: readonly Filter[]): Placement {
  let left = nodes;
  const counts: string[] = [];
  for (const filter of filters) {
    const passing = left.filter((node) => filter.passes(node, ask));
    if (passing.length < left.length) counts.push(`${filter.problem(ask)}: ${left.length - passing.length}`);
    left = passing;
  }
  const why = counts.length === 0 ? '' : ` (${counts.join('; ')})`;
  const message = `${TOO_FEW}: ${needed} needed, ${left.length} of ${nodes.length} usable${why}`;
  return { tag: 'refused', reason: 'InsufficientNodes', message };
}
