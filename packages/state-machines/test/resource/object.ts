import {
  DETACHED_ANNOTATION,
  FINALIZER,
  PAUSED_ANNOTATION,
  READY_TO_DETACH_CDI_DEVICE_LABEL,
  READY_TO_DETACH_DEVICE_LABEL,
  type ComposableResource,
  type ComposableResourceStatus,
  type Condition,
  type Operation,
} from '@cro/crd-types';
import type { Device, ResourceKnowledge } from '../../src/index.ts';
import type { World } from './world.ts';

export const location = { provider: 'fabric', machine: 'machine-0' };
export const NOW = '2026-01-01T00:00:00Z';

/** The device of the object, as the provider names it. */
export function deviceOf({ named }: Pick<World, 'named'>): Device {
  return named ? { deviceId: 'GPU-a', cdiDeviceId: 'RES-a' } : { cdiDeviceId: 'RES-a' };
}

/** A ticket, as a provider would make it. */
export function ticketOf(op: 'attach' | 'detach'): Operation {
  return { id: `${op}-1`, op, ...location, version: 1, holder: 'uid-1', phase: 'open', payload: {} };
}

/** The real object of a world. */
export function objectOf(world: World): ComposableResource {
  const labels =
    world.labels === 'empty'
      ? { [READY_TO_DETACH_DEVICE_LABEL]: '' }
      : {
          ...(world.named && { [READY_TO_DETACH_DEVICE_LABEL]: 'GPU-a' }),
          [READY_TO_DETACH_CDI_DEVICE_LABEL]: 'RES-a',
        };
  const annotation = world.hold === 'paused' ? PAUSED_ANNOTATION : DETACHED_ANNOTATION;
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: {
      name: 'gpu-1',
      uid: 'uid-1',
      resourceVersion: '1',
      generation: 1,
      finalizers: [...(world.finalizer ? [FINALIZER] : []), ...(world.foreign ? ['example.com/theirs'] : [])],
      ...(world.deleted && { deletionTimestamp: NOW }),
      ...(world.labels !== 'none' && { labels }),
      ...(world.hold !== 'none' && { annotations: { [annotation]: 'true' } }),
    },
    spec: { type: 'gpu', model: 'A100', target_node: 'worker-0', force_detach: world.force },
    ...(world.state !== '' && { status: statusOf(world) }),
  };
}

function statusOf(world: World): ComposableResourceStatus {
  const ticket = world.ticket === 'none' ? undefined : ticketOf(world.ticket === 'detach' ? 'detach' : 'attach');
  return {
    state: world.state,
    ...(world.ids === 'both' && { device_id: 'GPU-a' }),
    ...(world.ids !== 'none' && { cdi_device_id: 'RES-a' }),
    ...(ticket !== undefined && {
      operation: { ...ticket, phase: world.ticket === 'attached' ? ('attached' as const) : ('open' as const) },
    }),
    ...(world.place && { fabric: location }),
    ...(world.observed && { observedGeneration: 1 }),
    conditions: [
      ...(world.released ? [condition('Attached', 'False', 'Released')] : []),
      ...(world.fenced === 'nothing' ? [] : [condition('Fenced', world.fenced === 'yes' ? 'True' : 'False', 'Any')]),
    ],
  };
}

function condition(type: string, status: Condition['status'], reason: string): Condition {
  return { type, status, reason, message: '', lastTransitionTime: NOW };
}

/** The part of a world that this status is. Of the conditions only what the machine reads is kept. */
export function partOf(status: ComposableResourceStatus): Partial<World> {
  const { operation } = status;
  return {
    state: status.state as World['state'],
    ticket: operation === undefined ? 'none' : operation.phase === 'attached' ? 'attached' : operation.op,
    ids: status.device_id !== undefined ? 'both' : status.cdi_device_id !== undefined ? 'fabric' : 'none',
    released: status.conditions?.some((one) => one.reason === 'Released') ?? false,
    fenced: { True: 'yes', False: 'no', Unknown: 'nothing', none: 'nothing' }[
      status.conditions?.find((one) => one.type === 'Fenced')?.status ?? 'none'
    ] as World['fenced'],
    place: status.fabric !== undefined,
    observed: status.observedGeneration !== undefined,
  };
}

/** What the process of a world knows. `outcome` is the device that the last request found, if it found one. */
export function knowledgeOf(world: World, found?: Device): ResourceKnowledge {
  const isNamed = found === undefined ? world.ids === 'both' : found.deviceId !== undefined;
  return {
    node: world.node,
    visible: isNamed ? world.visible : 'absent',
    health: undefined,
    running: runningOf(world),
    unstartedTicket: world.unstarted ? ticketOf(world.ticket === 'detach' ? 'detach' : 'attach').id : undefined,
    settled: world.settled,
    draining: false,
  };
}

function runningOf({ running, queued }: World): ResourceKnowledge['running'] {
  if (running === 'nothing') return 'nothing';
  if (running === 'start' || running === 'resume') return 'withTicket';
  return queued ? 'queued' : 'beforeTicket';
}
