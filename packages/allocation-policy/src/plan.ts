import { askOf } from './ask.ts';
import { defaultFilters } from './filters.ts';
import { chooseKept } from './keep.ts';
import { compareText } from './order.ts';
import { place, type PlacementRules } from './place.ts';
import { defaultScores } from './scores.ts';
import type { Child, NodeSnapshot, Plan, PlanInput } from './types.ts';

/** The rules of this operator. */
export const defaultRules: PlacementRules = { filters: defaultFilters, scores: defaultScores };

/**
 * Decides which children of a request stay, which go, and on which nodes new ones are made. What can be kept is never
 * touched. Pure: the same input gives the same plan, and planning again after a plan was carried out changes nothing.
 */
export function plan(input: PlanInput, rules: PlacementRules = defaultRules): Plan {
  const ask = askOf(input.requestName, input.resource);
  const kept = chooseKept(input.children, ask, new Map(input.nodes.map((node) => [node.name, node])));
  const staying = new Set(kept.map(({ name }) => name));
  const dropped = input.children.filter(({ name }) => !staying.has(name));
  const nodes = withoutDropped(input.nodes, dropped);
  const placement = place({ ask, missing: ask.size - kept.length, kept, nodes }, rules);
  const division = { keep: namesOf(kept), drop: namesOf(dropped) };
  return placement.tag === 'placed'
    ? { tag: 'planned', ...division, create: placement.nodes }
    : { tag: 'unplaceable', ...division, reason: placement.reason, message: placement.message };
}

/** The nodes as they are once the dropped children are gone, or a changed request would run away from its own past. */
function withoutDropped(nodes: readonly NodeSnapshot[], dropped: readonly Child[]): readonly NodeSnapshot[] {
  const leaving = (node: NodeSnapshot) => dropped.filter((child) => child.node === node.name).length;
  return nodes.map((node) => ({ ...node, composedDevices: node.composedDevices - leaving(node) }));
}

function namesOf(children: readonly Child[]): readonly string[] {
  return children.map(({ name }) => name).sort(compareText);
}
