import { DeviceType, decoderOf } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import type { ListedDevice } from '../contract/listing.ts';
import type { CallContext } from '../contract/provider.ts';
import type { AttachRequest, Done, PrepareOutcome, ResumeOutcome, StartOutcome, Ticket } from '../contract/ticket.ts';
import type { Asked, ReadMachine, Wanted } from './fabric.ts';
import type { Strategy, TicketMaker } from './strategy.ts';
import { issueTicket, openTicket } from './tickets.ts';

/** What a fabric supplies whose attach is "one more of these": it reads a machine and asks for one more. */
export interface BaselineFabric {
  readonly read: ReadMachine;
  /** Asks for one more device. Called once. */
  readonly ask: (wanted: Wanted, context: CallContext) => Promise<Asked>;
  /** Milliseconds until it is worth reading the machine again. */
  readonly retryAfterMs: number;
}

const Payload = Type.Object({
  strategy: Type.Literal('baseline'),
  type: DeviceType,
  model: Type.String({ minLength: 1 }),
  baseline: Type.Array(Type.String()),
});
type Payload = Static<typeof Payload>;
const decodePayload = /* @__PURE__ */ decoderOf(Payload);

/**
 * Attaching to a fabric that is asked for "one more of this model" and not for a device. The ticket holds what was there
 * before; what is new afterwards is ours. That is sound because the lane lets nobody else of this operator change the
 * machine while the ticket is open.
 */
export function byBaseline(maker: TicketMaker, fabric: BaselineFabric): Strategy<AttachRequest> {
  return {
    prepare: (request, context) => prepare(maker, fabric, request, context),
    start: (ticket, context) => start(maker, fabric, ticket, context),
    resume: (ticket, context, claimed) => resume(maker, fabric, ticket, context, claimed),
  };
}

async function prepare(
  maker: TicketMaker,
  fabric: BaselineFabric,
  request: AttachRequest,
  context: CallContext,
): Promise<PrepareOutcome> {
  const { type, model, machine } = request;
  const read = await fabric.read(machine, context);
  if (read.tag === 'failed') return read;
  if (read.tag === 'absent') return { tag: 'failed', failure: { kind: 'Rejected', message: read.message } };
  const baseline = read.devices.filter(isLike({ type, model })).map((device) => device.cdiDeviceId);
  const payload: Payload = { strategy: 'baseline', type, model, baseline };
  return issueTicket(maker, request, payload);
}

async function start(
  maker: TicketMaker,
  fabric: BaselineFabric,
  ticket: Ticket,
  context: CallContext,
): Promise<StartOutcome> {
  const opened = openTicket(maker.provider, ticket, decodePayload);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const { type, model } = opened.payload;
  const asked = await fabric.ask({ type, model, machine: ticket.machine }, context);
  switch (asked.tag) {
    case 'done': {
      const done = doneWith(newOnes(opened.payload, asked.devices, []));
      if (done !== undefined) return done;
      const message = `the answer of the fabric names no new ${type} of model ${model}`;
      return { tag: 'inDoubt', failure: { kind: 'Protocol', message } };
    }
    case 'accepted':
      return { tag: 'pending', retryAfterMs: asked.retryAfterMs };
    case 'refused':
    case 'inDoubt':
      return asked;
  }
}

async function resume(
  maker: TicketMaker,
  fabric: BaselineFabric,
  ticket: Ticket,
  context: CallContext,
  claimed: readonly string[],
): Promise<ResumeOutcome> {
  const opened = openTicket(maker.provider, ticket, decodePayload);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const read = await fabric.read(ticket.machine, context);
  if (read.tag === 'failed') return { tag: 'inDoubt', failure: read.failure };
  if (read.tag === 'absent') return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: read.message } };
  const found = newOnes(opened.payload, read.devices, claimed).sort(healthyFirst);
  return doneWith(found) ?? { tag: 'unchanged', retryAfterMs: fabric.retryAfterMs };
}

function isLike(wanted: Pick<Wanted, 'type' | 'model'>): (device: ListedDevice) => boolean {
  return (device) => device.type === wanted.type && device.model === wanted.model;
}

/** Each once: a device that an answer names twice must not become its own surplus. */
function newOnes(payload: Payload, devices: readonly ListedDevice[], claimed: readonly string[]): ListedDevice[] {
  const seen = new Set([...payload.baseline, ...claimed]);
  return devices.filter((device) => {
    if (!isLike(payload)(device) || seen.has(device.cdiDeviceId)) return false;
    seen.add(device.cdiDeviceId);
    return true;
  });
}

/** The one to keep: a healthy one, else any; by id, so that two looks choose the same. */
function healthyFirst(a: ListedDevice, b: ListedDevice): number {
  const rank = (device: ListedDevice) => (device.health.level === 'ok' ? 0 : 1);
  return rank(a) - rank(b) || (a.cdiDeviceId < b.cdiDeviceId ? -1 : 1);
}

function doneWith([device, ...surplus]: readonly ListedDevice[]): Done | undefined {
  if (device === undefined) return undefined;
  return { tag: 'done', device, ...(surplus.length === 0 ? {} : { surplus }) };
}
