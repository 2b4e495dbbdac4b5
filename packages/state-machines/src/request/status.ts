import type {
  ComposabilityRequest,
  ComposabilityRequestStatus,
  ComposableResource,
  PlannedResource,
} from '@cro/crd-types';
import { mergeConditions, type ConditionDraft } from '../conditions.ts';
import type { Plan, RequestChange, RequestReport } from './decision.ts';

/** A change that is written to the status subresource. */
export type RequestStatusChange = Extract<RequestChange, { readonly tag: 'report' | 'recordPlan' }>;

/**
 * The status that a change leads to, with the children's words copied in. Equal to the present one when it says nothing
 * new. `now` is the RFC 3339 time for conditions that turn.
 */
export function nextRequestStatus(
  request: ComposabilityRequest,
  change: RequestStatusChange,
  children: readonly ComposableResource[],
  now: string,
): ComposabilityRequestStatus {
  const before = request.status ?? { state: '' };
  const { report } = change;
  const plan = change.tag === 'recordPlan' ? change.plan : planIn(before);
  const scalarResource = change.tag === 'recordPlan' ? request.spec.resource : before.scalarResource;
  const generation = request.metadata.generation ?? 0;
  const drafts = [readyOf(report), ...placedOf(change, before)];
  return {
    state: report.state,
    ...(report.error && { error: report.message }),
    resources: copyChildren(plan, before.resources ?? {}, children),
    ...(scalarResource !== undefined && { scalarResource }),
    observedGeneration: generation,
    conditions: mergeConditions(before.conditions, drafts, generation, now),
  };
}

function planIn(status: ComposabilityRequestStatus): Plan {
  return Object.fromEntries(
    Object.entries(status.resources ?? {}).map(([name, entry]) => [name, entry.node_name ?? '']),
  );
}

function copyChildren(
  plan: Plan,
  before: Readonly<Record<string, PlannedResource>>,
  children: readonly ComposableResource[],
): Record<string, PlannedResource> {
  const byName = new Map(children.map((child) => [child.metadata.name, child]));
  return Object.fromEntries(
    Object.entries(plan).map(([name, node]) => {
      const child = byName.get(name);
      return [name, child === undefined ? (before[name] ?? { state: '', node_name: node }) : copyOf(child)];
    }),
  );
}

function copyOf(child: ComposableResource): PlannedResource {
  const { state = '', device_id, cdi_device_id, error } = child.status ?? {};
  return {
    state,
    ...(device_id !== undefined && { device_id }),
    ...(cdi_device_id !== undefined && { cdi_device_id }),
    node_name: child.spec.target_node,
    ...(error !== undefined && { error }),
  };
}

function readyOf({ state, reason, message }: RequestReport): ConditionDraft {
  return { type: 'Ready', status: state === 'Running' && reason === 'Running' ? 'True' : 'False', reason, message };
}

/** Placed follows the plan: it holds from the plan on until one cannot be completed. */
function placedOf(change: RequestStatusChange, before: ComposabilityRequestStatus): ConditionDraft[] {
  const { state, reason, message } = change.report;
  const unplaced = { type: 'Placed', status: 'False', reason, message } as const;
  const placed = { type: 'Placed', status: 'True', reason: 'Planned', message: 'Every device has a node.' } as const;
  if (change.tag === 'recordPlan') return [change.placed ? placed : unplaced];
  switch (state) {
    case '':
    case 'NodeAllocating':
      return [unplaced];
    case 'Updating':
    case 'Running':
      // A request that another operator planned has no conditions yet.
      return before.conditions?.some((one) => one.type === 'Placed') ? [] : [placed];
    case 'Cleaning':
    case 'Deleting':
      return [];
  }
}
