import type { ComposableResource, FabricLocation } from '@cro/crd-types';
import type { ResourceChange } from '@cro/state-machines';
import type { ResourceMemory } from './memory.ts';
import type { Services } from '../services.ts';

/** Where the device is, for the changes that record it for the first time. */
export async function locationFor(
  change: ResourceChange,
  { status, spec }: ComposableResource,
  { located: remembered }: Pick<ResourceMemory, 'located'>,
  { fabric, nodes }: Services,
  signal: AbortSignal,
): Promise<FabricLocation | undefined> {
  switch (change.tag) {
    case 'closeTicket':
    case 'markAttached':
      if (status?.operation === undefined || change.device === undefined) return undefined;
      return { provider: fabric.name, machine: status.operation.machine };
    case 'recordLocation':
      return remembered;
    case 'recordDevice':
    case 'takeIdsFromLabels': {
      const facts = nodes.facts(spec.target_node);
      const located = facts === undefined ? undefined : await fabric.locate(facts, signal);
      return located?.tag === 'machine' ? { provider: fabric.name, machine: located.machine } : undefined;
    }
    case 'addFinalizer':
    case 'removeFinalizer':
    case 'report':
    case 'noteFence':
    case 'openTicket':
    case 'updateTicket':
    case 'recordReleased':
    case 'clearDevice':
      return undefined;
  }
}
