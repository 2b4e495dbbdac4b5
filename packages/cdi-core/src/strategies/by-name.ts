import { DeviceType, decoderOf, type Failure } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import type { ListedDevice } from '../contract/listing.ts';
import type { CallContext } from '../contract/provider.ts';
import type { DetachRequest, PrepareOutcome, ResumeOutcome, StartOutcome, Ticket } from '../contract/ticket.ts';
import type { Asked, ReadMachine } from './fabric.ts';
import type { Strategy, TicketMaker } from './strategy.ts';
import { issueTicket, openTicket } from './tickets.ts';

/** A device that is to leave a machine. */
export interface Leaving {
  readonly type: DeviceType;
  readonly model: string;
  readonly machine: string;
  readonly cdiDeviceId: string;
}

/** What a fabric supplies whose detach names the device. */
export interface NameFabric {
  readonly read: ReadMachine;
  /**
   * Looks for a device that its machine does not have: on another machine, or nowhere. Absent where the fabric cannot
   * tell.
   */
  readonly elsewhere?: (
    device: DetachRequest['device'],
    context: CallContext,
  ) => Promise<
    | { readonly tag: 'machine'; readonly machine: string }
    | { readonly tag: 'nowhere' }
    | { readonly tag: 'failed'; readonly failure: Failure }
  >;
  /** Asks for the device to be taken away. */
  readonly ask: (leaving: Leaving, context: CallContext) => Promise<Asked>;
  /** Milliseconds until it is worth reading the machine again. */
  readonly retryAfterMs: number;
}

const Payload = Type.Object({
  strategy: Type.Literal('name'),
  type: DeviceType,
  model: Type.String(),
  cdiDeviceId: Type.String({ minLength: 1 }),
});
type Payload = Static<typeof Payload>;
const decodePayload = /* @__PURE__ */ decoderOf(Payload);

/**
 * Detaching a device by its name. What is gone is a success; a device that is on another machine, or whose name now
 * stands for another device, is a conflict and nothing is touched. Resuming only reads: the number of detach calls stays
 * one, also when the process died before the first was answered.
 */
export function byName(maker: TicketMaker, fabric: NameFabric): Strategy<DetachRequest> {
  return {
    prepare: (request, context) => prepare(maker, fabric, request, context),
    start: (ticket, context) => start(maker, fabric, ticket, context),
    resume: (ticket, context) => resume(maker, fabric, ticket, context),
  };
}

async function prepare(
  maker: TicketMaker,
  fabric: NameFabric,
  request: DetachRequest,
  context: CallContext,
): Promise<PrepareOutcome> {
  if (!request.device.cdiDeviceId && !request.device.deviceId) {
    return { tag: 'failed', failure: { kind: 'Rejected', message: 'a detach names no device: neither id is known' } };
  }
  const read = await fabric.read(request.machine, context);
  if (read.tag === 'failed') return read;
  const devices = read.tag === 'devices' ? read.devices : [];
  const found = devices.find((device) => isNamed(request.device, device));
  if (found === undefined) return absent(fabric, request, context);
  const stranger = conflictOf(request, found);
  if (stranger !== undefined) return { tag: 'failed', failure: stranger };
  const { type, model, cdiDeviceId } = found;
  const payload: Payload = { strategy: 'name', type, model, cdiDeviceId };
  return issueTicket(maker, request, payload);
}

async function start(
  maker: TicketMaker,
  fabric: NameFabric,
  ticket: Ticket,
  context: CallContext,
): Promise<StartOutcome> {
  const opened = openTicket(maker.provider, ticket, decodePayload);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const { type, model, cdiDeviceId } = opened.payload;
  const asked = await fabric.ask({ type, model, cdiDeviceId, machine: ticket.machine }, context);
  switch (asked.tag) {
    case 'done':
      return { tag: 'done' };
    case 'accepted':
      return { tag: 'pending', retryAfterMs: asked.retryAfterMs };
    case 'refused':
    case 'inDoubt':
      return asked;
  }
}

async function resume(
  maker: TicketMaker,
  fabric: NameFabric,
  ticket: Ticket,
  context: CallContext,
): Promise<ResumeOutcome> {
  const opened = openTicket(maker.provider, ticket, decodePayload);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const read = await fabric.read(ticket.machine, context);
  if (read.tag === 'failed') return { tag: 'inDoubt', failure: read.failure };
  const { cdiDeviceId } = opened.payload;
  // A machine that is not listed for a moment is no proof; `prepare` looks twice when the settle window is over.
  const gone = read.tag === 'devices' && !read.devices.some((device) => device.cdiDeviceId === cdiDeviceId);
  return gone ? { tag: 'done' } : { tag: 'unchanged', retryAfterMs: fabric.retryAfterMs };
}

/** By the fabric's id, else by the node's: whichever the resource knows. */
function isNamed(wanted: DetachRequest['device'], device: ListedDevice): boolean {
  if (wanted.cdiDeviceId !== undefined && wanted.cdiDeviceId !== '') return device.cdiDeviceId === wanted.cdiDeviceId;
  return wanted.deviceId !== undefined && wanted.deviceId !== '' && device.deviceId === wanted.deviceId;
}

/** Both ids are known on both sides and disagree: the fabric's id was given to another device since. */
function conflictOf({ device, machine }: DetachRequest, found: ListedDevice): Failure | undefined {
  if (!device.deviceId || found.deviceId === undefined || device.deviceId === found.deviceId) return undefined;
  const message = `device '${found.cdiDeviceId}' on machine '${machine}' is now '${found.deviceId}' and not '${device.deviceId}': it is left alone`;
  return { kind: 'Conflict', message };
}

async function absent(fabric: NameFabric, request: DetachRequest, context: CallContext): Promise<PrepareOutcome> {
  const other = (await fabric.elsewhere?.(request.device, context)) ?? { tag: 'nowhere' };
  switch (other.tag) {
    case 'nowhere':
      return { tag: 'already' };
    case 'failed':
      return other;
    case 'machine': {
      if (other.machine === request.machine) return contradiction(request.machine);
      const name = request.device.cdiDeviceId ?? request.device.deviceId ?? '';
      const message = `device '${name}' is on machine '${other.machine}' now and not on '${request.machine}': it is left alone`;
      return { tag: 'failed', failure: { kind: 'Conflict', message } };
    }
  }
}

/** Two looks, two answers. Neither is believed. */
function contradiction(machine: string): PrepareOutcome {
  const message = `the fabric shows the device on machine '${machine}' in one answer and not in another: look again`;
  return { tag: 'failed', failure: { kind: 'Busy', message } };
}
