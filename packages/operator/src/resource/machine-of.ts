import type { LocateOutcome } from '@cro/cdi-core';
import type { ComposableResource, Failure } from '@cro/crd-types';
import type { Services } from '../services.ts';

/**
 * The fabric's machine for a resource: the one that its ticket or its status names, which outlive the Node; else the
 * node's.
 */
export async function machineOf(
  resource: ComposableResource,
  services: Services,
  signal: AbortSignal,
): Promise<LocateOutcome> {
  const { status, spec } = resource;
  const recorded = status?.operation?.machine ?? status?.fabric?.machine;
  if (recorded !== undefined) return { tag: 'machine', machine: recorded };
  const facts = services.nodes.facts(spec.target_node);
  if (facts === undefined) {
    const message = `node ${spec.target_node} is not there and the resource does not say on which machine its device is`;
    return { tag: 'failed', failure: { kind: 'Rejected', message } };
  }
  return services.fabric.locate(facts, signal);
}

/** Why there is no machine, as a failure. */
export function noMachine(located: Exclude<LocateOutcome, { readonly tag: 'machine' }>): Failure {
  return located.tag === 'failed' ? located.failure : { kind: 'Rejected', message: located.message };
}
