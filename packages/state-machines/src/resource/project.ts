import {
  DETACHED_ANNOTATION,
  FINALIZER,
  PAUSED_ANNOTATION,
  READY_TO_DETACH_CDI_DEVICE_LABEL,
  READY_TO_DETACH_DEVICE_LABEL,
  type ComposableResource,
  type ComposableResourceStatus,
  type Condition,
  type ObjectMeta,
  type ResourceState,
} from '@cro/crd-types';
import type { ResourceFacts, ResourceWords } from './facts.ts';

/** What the interpreter knows beside the object itself. */
export interface ResourceKnowledge {
  readonly node: ResourceFacts['node'];
  readonly visible: ResourceFacts['visible'];
  /** What is missing until the device is visible, in words; undefined: nothing more can be said. */
  readonly missing?: string | undefined;
  /** The fabric's last word on the device; `undefined`: not listed yet. */
  readonly health: { readonly ok: boolean; readonly message: string } | undefined;
  readonly running: ResourceFacts['running'];
  /** Id of the ticket that this process saved and has not called the fabric for. */
  readonly unstartedTicket: string | undefined;
  /** Whether this process has waited the settle window for an object that another operator left in doubt. */
  readonly settled: boolean;
  /** Whether this operator drains: it ends what is open and starts nothing new, so that another one can take over. */
  readonly draining: boolean;
}

const STATES: Readonly<Record<string, ResourceState>> = {
  '': '',
  Attaching: 'Attaching',
  Online: 'Online',
  Detaching: 'Detaching',
  Deleting: 'Deleting',
} satisfies { readonly [State in ResourceState]: State };

/** The state of an object; `undefined` when somebody wrote a word that is none. */
export function resourceStateOf(resource: ComposableResource): ResourceState | undefined {
  const state = resource.status?.state ?? '';
  return Object.hasOwn(STATES, state) ? STATES[state] : undefined;
}

/** Projects an object and what is known of its surroundings to finite facts. `state` is the object's parsed state. */
export function resourceFacts(
  resource: ComposableResource,
  state: ResourceState,
  known: ResourceKnowledge,
): ResourceFacts {
  const { metadata, spec, status } = resource;
  const origin = originOf(state, status, known.settled);
  return {
    state,
    goal: metadata.deletionTimestamp === undefined ? 'present' : 'gone',
    finalizer: metadata.finalizers?.includes(FINALIZER) ?? false,
    shared: metadata.finalizers?.some((one) => one !== FINALIZER) ?? false,
    hold: holdWhile(known.draining && origin === 'ours', metadata),
    giveBack: isGiveBack(metadata),
    force: spec.force_detach ?? false,
    ticket: ticketOf(status),
    started: status?.operation !== undefined && status.operation.id === known.unstartedTicket ? 'no' : 'maybe',
    device: deviceOf(status),
    visible: known.visible,
    node: known.node,
    location: status?.fabric === undefined ? 'missing' : 'known',
    origin,
    health: healthOf(status, known),
    running: known.running,
  };
}

/** The texts of an object for messages. */
export function resourceWords(resource: ComposableResource, known: ResourceKnowledge): ResourceWords {
  return {
    name: resource.metadata.name,
    node: resource.spec.target_node,
    model: resource.spec.model,
    deviceId: resource.status?.device_id ?? '',
    pausedBy: pausedBy(resource.metadata),
    health: known.health?.message ?? conditionOf(resource.status, 'Healthy')?.message ?? '',
    missing: known.missing ?? '',
  };
}

/** Whether the syncer made the object, to give back a device that nobody owns. */
export function isGiveBack(metadata: ObjectMeta): boolean {
  const labels = metadata.labels ?? {};
  return labels[READY_TO_DETACH_DEVICE_LABEL] !== undefined || labels[READY_TO_DETACH_CDI_DEVICE_LABEL] !== undefined;
}

/** What an annotation forbids. `detached` is the stronger one. */
export function holdOf(metadata: ObjectMeta): ResourceFacts['hold'] {
  if (metadata.annotations?.[DETACHED_ANNOTATION] === 'true') return 'detached';
  return metadata.annotations?.[PAUSED_ANNOTATION] === 'true' ? 'paused' : 'none';
}

/**
 * The same in an operator that drains: what is not held otherwise is paused. An object that another operator left in doubt is
 * not: what became of its call is found out by reads, and must be known before anybody else attaches for it.
 */
export function holdWhile(draining: boolean, metadata: ObjectMeta): ResourceFacts['hold'] {
  const hold = holdOf(metadata);
  return draining && hold === 'none' ? 'paused' : hold;
}

/** Who pauses an object: the annotation, or else the operator that drains. */
export function pausedBy(metadata: ObjectMeta): string {
  return holdOf(metadata) === 'paused' ? 'annotation cohdi.io/paused' : 'the drain mode of the operator';
}

function ticketOf(status: ComposableResourceStatus | undefined): ResourceFacts['ticket'] {
  const operation = status?.operation;
  if (operation === undefined) return 'none';
  return operation.phase === 'attached' ? 'attached' : operation.op;
}

/** What an object's ids say of its device. */
export function deviceOf(status: ComposableResourceStatus | undefined): ResourceFacts['device'] {
  const hasDeviceId = (status?.device_id ?? '') !== '';
  const hasCdiDeviceId = (status?.cdi_device_id ?? '') !== '';
  if (!hasDeviceId && !hasCdiDeviceId) return 'none';
  if (isReleased(status)) return 'released';
  return hasDeviceId ? 'identified' : 'unidentified';
}

/** The condition says it, as the ids are still needed to see the device leave the node. */
export function isReleased(status: ComposableResourceStatus | undefined): boolean {
  return conditionOf(status, 'Attached')?.reason === 'Released';
}

/** Until the fabric has been listed, what it said last still stands: a restart must not clear a fault. */
function healthOf(status: ComposableResourceStatus | undefined, known: ResourceKnowledge): ResourceFacts['health'] {
  if (known.health !== undefined) return known.health.ok ? 'ok' : 'faulty';
  switch (conditionOf(status, 'Healthy')?.status) {
    case 'True':
      return 'ok';
    case 'False':
      return 'faulty';
    case 'Unknown':
    case undefined:
      return 'unlisted';
  }
}

function conditionOf(status: ComposableResourceStatus | undefined, type: string): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function originOf(
  state: ResourceState,
  status: ComposableResourceStatus | undefined,
  settled: boolean,
): ResourceFacts['origin'] {
  if (state !== 'Attaching' || !isInDoubt(status)) return 'ours';
  return settled ? 'settled' : 'inDoubt';
}

/**
 * Whether another operator left an attach whose outcome nobody recorded: no ids, no ticket, and never written by this one,
 * which always sets `observedGeneration`.
 */
export function isInDoubt(status: ComposableResourceStatus | undefined): boolean {
  return (
    status?.state === 'Attaching' &&
    deviceOf(status) === 'none' &&
    status.operation === undefined &&
    status.observedGeneration === undefined
  );
}
