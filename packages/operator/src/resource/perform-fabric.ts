import type { AttachedDevice, ListedDevice, PrepareRequest, Ticket } from '@cro/cdi-core';
import { MOST_ON_NODE, type ComposableResource, type Failure } from '@cro/crd-types';
import type { ResourceOutcome } from '@cro/state-machines';
import { idOf } from '../fabric/fabric.ts';
import { claimedByOthers } from '../fabric/ownership.ts';
import type { Services } from '../services.ts';
import { giveBackDevice } from '../syncer/give-back.ts';
import { machineOf, noMachine } from './machine-of.ts';
import type { ResourceMemory, RunningRequest } from './memory.ts';

/**
 * How long a wait for the lane stays unsaid: most are over sooner, and saying it is a write. Of a device that comes nothing else may
 * stand in the status yet; of one that leaves it says already that it does.
 */
const QUEUED_NOTICE_MS = { attach: 3_000, detach: 10_000 } as const;

/** What performing a request is about. */
export interface Performance {
  readonly resource: ComposableResource;
  readonly memory: ResourceMemory;
  readonly running: RunningRequest;
  readonly services: Services;
  readonly signal: AbortSignal;
}

/** Takes the lane, then lets the provider read the fabric and make a ticket. The lane is kept when there is one. */
export async function prepare(op: 'attach' | 'detach', work: Performance): Promise<ResourceOutcome> {
  const { resource, services, signal } = work;
  const request = op === 'attach' ? 'prepareAttach' : 'prepareDetach';
  const located = await machineOf(resource, services, signal);
  if (located.tag !== 'machine') return { request, tag: 'failed', failure: noMachine(located) };
  await takeLane(op, services.fabric.laneOf(located.machine), work);
  const unclear = unclearOn(op, located.machine, resource, services);
  if (unclear !== undefined) return { request, tag: 'failed', failure: { kind: 'Busy', message: unclear } };
  const outcome = await services.fabric.prepare(prepareRequest(op, resource, located.machine, services), signal);
  if (outcome.tag === 'ticket') return { request, ...withNode(outcome.ticket, resource, services) };
  if (outcome.tag === 'already' && outcome.device !== undefined)
    services.health.set(idOf(outcome.device), outcome.device.health);
  return { request, ...outcome };
}

/** Which of two new devices is whose could not be told: one at a time, until the node's name for it is known. */
function unclearOn(
  op: 'attach' | 'detach',
  machine: string,
  { metadata, spec, status }: ComposableResource,
  { caches, nodeSides }: Services,
): string | undefined {
  if (op === 'detach' && spec.force_detach === true) return undefined;
  const onNode = nodeSides[spec.type].identity.unclear?.(op, spec.target_node, status?.device_id ?? '');
  if (onNode !== undefined || op === 'detach') return onNode;
  const other = caches.resources
    .list()
    .find(
      ({ metadata: { uid }, status: its }) =>
        uid !== metadata.uid && its?.operation?.phase === 'attached' && its.operation.machine === machine,
    );
  return other && `the device of ${other.metadata.name} on the same machine is not identified yet`;
}

type Noted =
  { readonly tag: 'ticket'; readonly ticket: Ticket } | { readonly tag: 'failed'; readonly failure: Failure };

/** Notes what the node shows now, where the device will have to be recognised later. No node has so many devices, but it may say so. */
function withNode(ticket: Ticket, { spec }: ComposableResource, { nodeSides }: Services): Noted {
  if (ticket.op !== 'attach' || ticket.payload['hints'] === undefined) return { tag: 'ticket', ticket };
  const onNode = nodeSides[spec.type].identity.shownBy(spec.target_node);
  if (onNode === undefined) return { tag: 'ticket', ticket };
  if (onNode.length <= MOST_ON_NODE) return { tag: 'ticket', ticket: { ...ticket, onNode: [...onNode] } };
  const message = `node ${spec.target_node} shows ${onNode.length} devices, and no more than ${MOST_ON_NODE} can be noted to recognise the one that comes: look at what publishes them there`;
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}

async function takeLane(
  op: 'attach' | 'detach',
  lane: string,
  { resource, running, services, signal }: Performance,
): Promise<void> {
  const { name, uid } = resource.metadata;
  const cancel = services.clock.after(QUEUED_NOTICE_MS[op], () => {
    running.queued = true;
    services.wake.resource(name);
  });
  try {
    await services.lanes.acquire(lane, uid, signal);
  } finally {
    cancel();
    running.queued = false;
  }
}

function prepareRequest(
  op: 'attach' | 'detach',
  resource: ComposableResource,
  machine: string,
  services: Services,
): PrepareRequest {
  const { metadata, spec, status } = resource;
  const claimed = claimedByOthers(services.caches.resources.list(), metadata.uid);
  const common = { holder: metadata.uid, type: spec.type, model: spec.model, machine, claimed };
  if (op === 'attach') return { op, ...common };
  const { device_id: deviceId, cdi_device_id: cdiDeviceId } = status ?? {};
  return { op, ...common, device: { ...(deviceId && { deviceId }), ...(cdiDeviceId && { cdiDeviceId }) } };
}

/** Calls the fabric for the ticket: once, by the process that saved it, while it certainly holds the lease. */
export async function start(ticket: Ticket, work: Performance): Promise<ResourceOutcome> {
  const { memory, services, signal } = work;
  if (!services.leading()) {
    const failure = { kind: 'InDoubt', message: 'the lease may be lost: the fabric was not called' } as const;
    return { request: 'start', tag: 'inDoubt', failure };
  }
  memory.unstartedTicket = undefined;
  memory.doubt = { ticket: ticket.id, sinceMs: services.clock.monotonic() };
  const outcome = await services.fabric.start(ticket, signal);
  if (outcome.tag !== 'done') return { request: 'start', ...outcome };
  await settleDevices(outcome.device, outcome.surplus ?? [], work);
  return { request: 'start', tag: 'done', ...(outcome.device !== undefined && { device: outcome.device }) };
}

/** Finds out what became of a ticket. The settle window counts from when this process began to wait. */
export async function resume(ticket: Ticket, work: Performance): Promise<ResourceOutcome> {
  const { resource, memory, services, signal } = work;
  const now = services.clock.monotonic();
  if (memory.doubt?.ticket !== ticket.id) memory.doubt = { ticket: ticket.id, sinceMs: now };
  const settled = now - memory.doubt.sinceMs >= services.fabric.settleMs;
  const claimed = claimedByOthers(services.caches.resources.list(), resource.metadata.uid);
  const outcome = await services.fabric.resume(ticket, claimed, signal);
  switch (outcome.tag) {
    case 'done':
      await settleDevices(outcome.device, outcome.surplus ?? [], work);
      return { request: 'resume', tag: 'done', ...(outcome.device !== undefined && { device: outcome.device }) };
    case 'unchanged':
      return { request: 'resume', ...outcome, settled };
    case 'pending':
    case 'notDone':
    case 'inDoubt':
      return { request: 'resume', ...outcome };
  }
}

/** Notes the health of the new device, and gives back at once what came beyond it. */
async function settleDevices(
  device: AttachedDevice | undefined,
  surplus: readonly AttachedDevice[],
  work: Performance,
): Promise<void> {
  const { resource, services } = work;
  if (device !== undefined) services.health.set(idOf(device), device.health);
  const { type, model, target_node: node } = resource.spec;
  for (const extra of surplus) {
    services.log.warn('the fabric attached more than was asked for: giving it back', {
      resource: resource.metadata.name,
      device: idOf(extra),
    });
    await giveBackDevice(
      { type, model, node, deviceId: extra.deviceId ?? '', cdiDeviceId: extra.cdiDeviceId },
      services,
    );
  }
}

/** Looks for the one device that a call lost by another operator may have brought to the resource's machine. */
export async function findUnowned(work: Performance): Promise<ResourceOutcome> {
  const { resource, services, signal } = work;
  const request = 'findUnowned';
  const located = await machineOf(resource, services, signal);
  // A node that is not on the fabric cannot have got a device from an earlier call.
  if (located.tag === 'unmapped') return { request, tag: 'noneOrMany' };
  if (located.tag === 'failed') return { request, tag: 'failed', failure: located.failure };
  const { machine } = located;
  await takeLane('attach', services.fabric.laneOf(machine), work);
  const listed = await unownedOn(machine, work);
  if (listed.tag === 'failed') return { request, ...listed };
  const { type, model } = resource.spec;
  const unowned = listed.devices.filter((device) => device.type === type && device.model === model);
  const [only] = unowned;
  if (only === undefined || unowned.length > 1) return { request, tag: 'noneOrMany' };
  services.health.set(idOf(only), only.health);
  return { request, tag: 'one', device: only };
}

/** Asks the fabric whether the device of these ids is on the resource's machine, and is nobody else's. Of ids that do not fit each other none is. */
export async function confirmOnFabric(work: Performance): Promise<ResourceOutcome> {
  const { resource, services, signal } = work;
  const request = 'confirmOnFabric';
  const located = await machineOf(resource, services, signal);
  if (located.tag !== 'machine') return { request, tag: 'failed', failure: noMachine(located) };
  const { machine } = located;
  const listed = await unownedOn(machine, work);
  if (listed.tag === 'failed') return { request, ...listed };
  const { device_id: deviceId = '', cdi_device_id: cdiDeviceId = '' } = resource.status ?? {};
  const isMeant = (device: AttachedDevice) =>
    (cdiDeviceId === '' || device.cdiDeviceId === cdiDeviceId) &&
    // Not every fabric knows what the node calls a device, and not every label says it.
    (device.deviceId === undefined || deviceId === '' ? cdiDeviceId !== '' : device.deviceId === deviceId);
  const isThere = listed.devices.some(isMeant);
  return { request, tag: isThere ? 'attached' : 'notAttached' };
}

type Unowned =
  | { readonly tag: 'listed'; readonly devices: readonly ListedDevice[] }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** What the fabric has on a machine that no other resource holds. */
async function unownedOn(machine: string, { resource, services, signal }: Performance): Promise<Unowned> {
  const listing = await services.fabric.list([machine], signal);
  const [unreadable] = listing.unreadable;
  if (unreadable !== undefined) return { tag: 'failed', failure: unreadable.failure };
  const claimed = new Set(claimedByOthers(services.caches.resources.list(), resource.metadata.uid));
  const devices = listing.devices.filter((device) => device.machine === machine && !claimed.has(idOf(device)));
  return { tag: 'listed', devices };
}
