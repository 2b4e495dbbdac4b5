import type { Ask } from './ask.ts';
import { compareText } from './order.ts';
import { meets, REQUIREMENTS } from './requirements.ts';
import type { NodeSnapshot } from './types.ts';

/** One reason for which a node gets no new device. */
export interface Filter {
  /** Unique name, lower camel case. */
  readonly name: string;
  /** What the plan's reason becomes when this filter refuses the only node that could be used. */
  readonly refusal: 'Unfit' | 'Conflict';
  /**
   * False: a node that holds devices of the request already is not judged by this filter when more are added. What is
   * free there shrinks by the very workload that the devices are for.
   */
  readonly judgesOwnNode: boolean;
  /** True when the node may get a device. */
  readonly passes: (node: NodeSnapshot, ask: Ask) => boolean;
  /**
   * What is wrong with a node that does not pass, to be read after "node X: ". Without a node: with all of those that do
   * not pass. Name no amount that changes while nothing else does, or each change is one more write of the status.
   */
  readonly problem: (ask: Ask, node?: NodeSnapshot) => string;
}

const ready: Filter = {
  name: 'ready',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: (node) => node.ready,
  problem: () => 'not ready',
};

const schedulable: Filter = {
  name: 'schedulable',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: (node) => node.schedulable,
  problem: () => 'not schedulable',
};

const mapped: Filter = {
  name: 'mapped',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: (node) => node.machine !== undefined,
  problem: () => 'not mapped to a machine of the fabric',
};

const largeEnough: readonly Filter[] = REQUIREMENTS.map((requirement) => ({
  name: requirement.amount,
  refusal: 'Unfit',
  judgesOwnNode: false,
  passes: (node, ask) => meets(node.free, ask.requirements, requirement),
  problem: ({ requirements }) => `less than ${requirements[requirement.field] ?? 0} ${requirement.field} free`,
}));

const freeOnFabric: Filter = {
  name: 'freeOnFabric',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: (node) => node.freeOnFabric !== 'no',
  problem: (ask) => `no ${ask.type} ${ask.model} free on its fabric`,
};

const notTaken: Filter = {
  name: 'notTaken',
  refusal: 'Conflict',
  judgesOwnNode: true,
  passes: (node, ask) => rivals(node, ask).length === 0,
  problem: (ask, node) => {
    const names = node === undefined ? [] : rivals(node, ask);
    return `${ask.type} ${ask.model} there belongs to ${names[0] ?? 'another samenode request'}`;
  },
};

/** Other samenode requests with the same kind of device on the node, by name. */
function rivals(node: NodeSnapshot, ask: Ask): readonly string[] {
  if (ask.policy !== 'samenode') return [];
  return node.usedBy
    .filter((use) => use.request !== ask.requestName && use.policy === 'samenode')
    .filter((use) => use.type === ask.type && use.model === ask.model)
    .map((use) => use.request)
    .sort(compareText);
}

/** The filters of this operator, in the order in which a node is asked. */
export const defaultFilters: readonly Filter[] = [ready, schedulable, mapped, ...largeEnough, freeOnFabric, notTaken];
