import type { Ask } from './ask.ts';
import { deletionOrder, worth } from './deletion-priority.ts';
import { compareText, firstDifference } from './order.ts';
import { meetsAll } from './requirements.ts';
import type { Child, NodeSnapshot } from './types.ts';

/** Nodes by name. */
export type NodesByName = ReadonlyMap<string, NodeSnapshot>;

/** Conditions for a child to be what the request asks for. Whether its node is ready is none of them: that passes. */
const AGREEMENTS: readonly ((child: Child, ask: Ask, node: NodeSnapshot) => boolean)[] = [
  (child, ask) => child.type === ask.type,
  (child, ask) => child.model === ask.model,
  (child, ask) => child.forceDetach === ask.forceDetach,
  (child, ask) => ask.policy === 'differentnode' || ask.target === undefined || child.node === ask.target,
  (_child, ask, node) => meetsAll(node.allocatable, ask.requirements),
];

/** The children that stay: those that agree with the request, at most as many as it asks for, on nodes as its policy says. */
export function chooseKept(children: readonly Child[], ask: Ask, nodes: NodesByName): readonly Child[] {
  const agreeing = children.filter((child) => {
    const node = nodes.get(child.node);
    return node !== undefined && AGREEMENTS.every((agrees) => agrees(child, ask, node));
  });
  const groups = groupByNode(agreeing);
  const allowed = ask.policy === 'samenode' ? bestGroup(groups) : bestOfEach(groups);
  return mostWorthFirst(allowed).slice(0, ask.size);
}

function mostWorthFirst(children: readonly Child[]): readonly Child[] {
  return deletionOrder(children).toReversed();
}

function groupByNode(children: readonly Child[]): readonly (readonly Child[])[] {
  const groups = new Map<string, Child[]>();
  for (const child of children) {
    const group = groups.get(child.node);
    if (group === undefined) groups.set(child.node, [child]);
    else group.push(child);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => mostWorthFirst(group));
}

/** The group that is the greatest loss. It does not depend on the size, so that a request that grows keeps what it has. */
function bestGroup(groups: readonly (readonly Child[])[]): readonly Child[] {
  return groups.reduce((best, group) => (compareLoss(group, best) > 0 ? group : best), []);
}

function compareLoss(a: readonly Child[], b: readonly Child[]): number {
  const length = Math.max(a.length, b.length);
  const worthAt = (group: readonly Child[], index: number) => {
    const child = group[index];
    return child === undefined ? -1 : worth(child);
  };
  return firstDifference(Array.from({ length }, (_, index) => worthAt(a, index) - worthAt(b, index)));
}

function bestOfEach(groups: readonly (readonly Child[])[]): readonly Child[] {
  return groups.flatMap((group) => group.slice(0, 1));
}
