import {
  FINALIZER,
  MANAGED_BY_LABEL,
  PAUSED_ANNOTATION,
  type ComposabilityRequest,
  type ComposabilityRequestStatus,
  type ComposableResource,
  type ScalarResourceDetails,
} from '@cro/crd-types';
import { NAMES, namesWhere, type Child, type World } from './world.ts';

export const NOW = '2026-01-01T00:00:00Z';

const specOf = (size: number): ScalarResourceDetails => ({ type: 'gpu', model: 'A100', size });

/** The real request of a world. */
export function requestOf(world: World): ComposabilityRequest {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposabilityRequest',
    metadata: {
      name: 'training',
      uid: 'uid-r',
      resourceVersion: '1',
      generation: 1,
      finalizers: [...(world.finalizer ? [FINALIZER] : []), ...(world.foreign ? ['example.com/theirs'] : [])],
      ...(world.deleted && { deletionTimestamp: NOW }),
      ...(world.paused && { annotations: { [PAUSED_ANNOTATION]: 'true' } }),
    },
    spec: { resource: specOf(world.size) },
    ...(world.state !== '' && { status: statusOf(world) }),
  };
}

function statusOf(world: World): ComposabilityRequestStatus {
  const planned = namesWhere((name) => world.plan[name] !== 'absent');
  return {
    state: world.state,
    resources: Object.fromEntries(
      planned.map((name) => [
        name,
        { state: world.plan[name] === 'created' ? 'Attaching' : '', node_name: 'worker-0' },
      ]),
    ),
    ...(world.plannedSize !== undefined && { scalarResource: specOf(world.plannedSize) }),
  };
}

/** The part of a world that this status is. */
export function partOf(status: ComposabilityRequestStatus): Pick<World, 'state' | 'plannedSize' | 'plan'> {
  const entryOf = (name: string) => {
    const entry = status.resources?.[name];
    return entry === undefined ? 'absent' : entry.state === '' ? 'planned' : 'created';
  };
  return {
    state: status.state as World['state'],
    plannedSize: status.scalarResource?.size,
    plan: { a: entryOf('a'), b: entryOf('b'), c: entryOf('c') },
  };
}

const OWNER = {
  apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
  kind: 'ComposabilityRequest',
  name: 'training',
  uid: 'uid-r',
};
const STATE_OF = { new: 'Attaching', online: 'Online', lost: 'Detaching', leaving: 'Detaching' } as const;

/** The real children of a world. */
export function childrenOf(world: World): ComposableResource[] {
  return NAMES.flatMap((name) => childOf(name, world.children[name], world.unowned !== name));
}

function childOf(name: string, child: Child, owned: boolean): ComposableResource[] {
  if (child === 'absent') return [];
  return [
    {
      apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
      kind: 'ComposableResource',
      metadata: {
        name,
        uid: `uid-${name}`,
        resourceVersion: '1',
        labels: { [MANAGED_BY_LABEL]: 'training' },
        ...(owned && { ownerReferences: [OWNER] }),
        ...(child === 'leaving' && { deletionTimestamp: NOW }),
      },
      spec: { type: 'gpu', model: 'A100', target_node: 'worker-0' },
      status: { state: STATE_OF[child] },
    },
  ];
}
