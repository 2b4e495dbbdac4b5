import type { ComposabilityRequestSpec } from '@cro/crd-types';

/** What the rules say: let it through, or refuse it with a reason for the user. */
export type Verdict = { readonly tag: 'allowed' } | { readonly tag: 'denied'; readonly reason: string };

/** The parts of a ComposabilityRequest that the rules look at. */
export interface RuledRequest {
  /** Without a name (it may be generated yet), it is nobody's namesake. */
  readonly metadata: { readonly name?: string };
  readonly spec: ComposabilityRequestSpec;
  readonly status?: { readonly resources?: Readonly<Record<string, { readonly node_name?: string }>> };
}

/**
 * The rules across requests. They are advisory: two replicas can let two requests in at the same moment, so the
 * operator checks again when it places devices. Texts are the Go operator's.
 *
 * - `differentnode` takes no target_node, and there is one such request for a type and model.
 * - `samenode`: no other request for that type and model has devices, or is to have them, on its node. A request
 *   without a target_node gets a node of its own, so two of those never conflict.
 */
export function judge(candidate: RuledRequest, existing: readonly RuledRequest[]): Verdict {
  const { resource } = candidate.spec;
  if (policyOf(candidate) === 'differentnode' && targetOf(candidate) !== undefined) {
    return denied(`TargetNode cannot be specified when AllocationPolicy is set to 'differentnode'`);
  }
  const rival = existing.find(
    (other) =>
      other.metadata.name !== candidate.metadata.name && sameDevices(candidate, other) && clash(candidate, other),
  );
  if (rival === undefined) return { tag: 'allowed' };
  const name = rival.metadata.name ?? '';
  return denied(
    `composabilityRequest resource ${name} with type ${resource.type} and model ${resource.model} already exists`,
  );
}

function clash(candidate: RuledRequest, other: RuledRequest): boolean {
  const policy = policyOf(candidate);
  switch (policy) {
    case 'differentnode':
      return policyOf(other) === 'differentnode';
    case 'samenode':
      return shareNode(candidate, other);
    default:
      return policy satisfies never;
  }
}

/** Compares with every node of the other's devices: which of them comes first in a map says nothing. */
function shareNode(a: RuledRequest, b: RuledRequest): boolean {
  if (targetOf(a) === undefined && targetOf(b) === undefined) return false;
  const nodes = nodesOf(a);
  return nodesOf(b).some((node) => nodes.includes(node));
}

function sameDevices(a: RuledRequest, b: RuledRequest): boolean {
  return a.spec.resource.type === b.spec.resource.type && a.spec.resource.model === b.spec.resource.model;
}

function policyOf({ spec }: RuledRequest): 'samenode' | 'differentnode' {
  return spec.resource.allocation_policy ?? 'samenode';
}

/** An empty target is none: the Go operator writes it so. */
function targetOf({ spec }: RuledRequest): string | undefined {
  return spec.resource.target_node === '' ? undefined : spec.resource.target_node;
}

function nodesOf(request: RuledRequest): readonly string[] {
  const target = targetOf(request);
  if (target !== undefined) return [target];
  return Object.values(request.status?.resources ?? {}).flatMap(({ node_name: node }) =>
    node === undefined || node === '' ? [] : [node],
  );
}

function denied(reason: string): Verdict {
  return { tag: 'denied', reason };
}
