import { DeviceType, decoderOf, type Decoded } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import type { ListedDevice } from '../contract/listing.ts';
import type { CallContext } from '../contract/provider.ts';
import type { AttachRequest, Done, PrepareOutcome, ResumeOutcome, StartOutcome, Ticket } from '../contract/ticket.ts';
import { answersWhenDone, type AcceptingFabric, type BaselineFabric, type DevicesRead } from './baseline-fabric.ts';
import type { Wanted } from './fabric.ts';
import type { Strategy, TicketMaker } from './strategy.ts';
import { issueTicket, openTicket } from './tickets.ts';

const Payload = Type.Object({
  strategy: Type.Literal('baseline'),
  type: DeviceType,
  model: Type.String({ minLength: 1 }),
  baseline: Type.Array(Type.String()),
  /** Of these, the ones that nobody had. */
  unowned: Type.Optional(Type.Array(Type.String())),
  notes: Type.Optional(Type.Unknown()),
});
type Payload = Static<typeof Payload>;
const decodePayload = /* @__PURE__ */ decoderOf(Payload);

/**
 * Attaching to a fabric that is asked for "one more of this model" and not for a device. The ticket holds what was there
 * before; what is new afterwards is ours. That is sound because the lane lets nobody else of this operator change the
 * machine while the ticket is open.
 */
export function byBaseline(maker: TicketMaker, fabric: BaselineFabric): Strategy<AttachRequest> {
  return byBaselineAccepted(maker, answersWhenDone(fabric));
}

/** The same for a fabric that accepts the request and works on it by itself. */
export function byBaselineAccepted<Notes, Read extends DevicesRead>(
  maker: TicketMaker,
  fabric: AcceptingFabric<Notes, Read>,
): Strategy<AttachRequest> {
  return {
    prepare: (request, context) => prepare(maker, fabric, request, context),
    start: (ticket, context) => start(maker, fabric, ticket, context),
    resume: async (ticket, context, claimed) => {
      const outcome = await resume(maker, fabric, ticket, context, claimed);
      if (outcome.tag === 'done' || outcome.tag === 'notDone') fabric.pace.end(ticket.id);
      return outcome;
    },
  };
}

async function prepare<Notes, Read extends DevicesRead>(
  maker: TicketMaker,
  fabric: AcceptingFabric<Notes, Read>,
  request: AttachRequest,
  context: CallContext,
): Promise<PrepareOutcome> {
  const { type, model, machine } = request;
  const read = await fabric.read(machine, context);
  if (read.tag === 'failed') return read;
  if (read.tag === 'absent') return { tag: 'failed', failure: { kind: 'Rejected', message: read.message } };
  const plan = fabric.plan({ type, model, machine }, read);
  if (plan.tag === 'failed') return plan;
  const baseline = read.devices.filter(isLike({ type, model })).map((device) => device.cdiDeviceId);
  const { notes } = plan;
  const unowned = baseline.filter((id) => !request.claimed.includes(id));
  return issueTicket(maker, request, {
    strategy: 'baseline',
    type,
    model,
    baseline,
    ...(unowned.length === 0 ? {} : { unowned }),
    ...(notes === undefined ? {} : { notes }),
  });
}

async function start<Notes, Read extends DevicesRead>(
  maker: TicketMaker,
  fabric: AcceptingFabric<Notes, Read>,
  ticket: Ticket,
  context: CallContext,
): Promise<StartOutcome> {
  const opened = open(maker, fabric, ticket);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const { notes, ...payload } = opened.payload;
  const { type, model } = payload;
  const asked = await fabric.ask({ type, model, machine: ticket.machine }, context, notes);
  switch (asked.tag) {
    case 'done': {
      const done = doneWith(newOnes(payload, asked.devices, [])) ?? givenAgain(payload, asked.devices);
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

async function resume<Notes, Read extends DevicesRead>(
  maker: TicketMaker,
  fabric: AcceptingFabric<Notes, Read>,
  ticket: Ticket,
  context: CallContext,
  claimed: readonly string[],
): Promise<ResumeOutcome> {
  const opened = open(maker, fabric, ticket);
  if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
  const read = await fabric.read(ticket.machine, context);
  if (read.tag === 'failed') return { tag: 'inDoubt', failure: read.failure };
  if (read.tag === 'absent') return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: read.message } };
  const { notes, ...payload } = opened.payload;
  const done = doneWith(newOnes(payload, read.devices, claimed).sort(healthyFirst));
  if (done !== undefined) return done;
  const known = new Set([...payload.baseline, ...claimed]);
  const { type, model } = payload;
  const wanted = { type, model, machine: ticket.machine };
  const elapsedMs = fabric.pace.elapsedMs(ticket.id);
  const progress = fabric.progress({ wanted, notes, isKnown: (id) => known.has(id), elapsedMs }, read);
  if (progress.tag === 'coming' && progress.sign !== undefined) fabric.pace.saw(ticket.id, progress.sign);
  const retryAfterMs = fabric.pace.waitMs(ticket.id);
  switch (progress.tag) {
    case 'coming':
      return { tag: 'pending', retryAfterMs };
    case 'failed':
      return { tag: 'notDone', failure: progress.failure };
    case 'none':
      return { ...progress, tag: 'unchanged', retryAfterMs };
  }
}

type Opened<Notes> = Omit<Payload, 'notes'> & { readonly notes: Notes };

function open<Notes, Read extends DevicesRead>(
  { provider }: TicketMaker,
  { decodeNotes }: AcceptingFabric<Notes, Read>,
  ticket: Ticket,
): ReturnType<typeof openTicket<Opened<Notes>>> {
  return openTicket(provider, ticket, (value): Decoded<Opened<Notes>> => {
    const payload = decodePayload(value);
    if (payload.tag === 'malformed') return payload;
    const notes = decodeNotes(payload.object.notes);
    if (notes.tag === 'malformed') return { tag: 'malformed', message: `notes: ${notes.message}` };
    return { tag: 'ok', object: { ...payload.object, notes: notes.object } };
  });
}

function isLike(wanted: Pick<Wanted, 'type' | 'model'>): (device: ListedDevice) => boolean {
  return (device) => device.type === wanted.type && device.model === wanted.model;
}

/** Each once: a device that an answer names twice must not become its own surplus. */
function newOnes(
  payload: Omit<Payload, 'notes'>,
  devices: readonly ListedDevice[],
  claimed: readonly string[],
): ListedDevice[] {
  const seen = new Set([...payload.baseline, ...claimed]);
  return devices.filter((device) => {
    if (!isLike(payload)(device) || seen.has(device.cdiDeviceId)) return false;
    seen.add(device.cdiDeviceId);
    return true;
  });
}

/**
 * A fabric may hand out what stood on the machine already, and say so: then its answer names that one device and no other. It is
 * believed where nobody had it.
 */
function givenAgain(payload: Omit<Payload, 'notes'>, devices: readonly ListedDevice[]): Done | undefined {
  const named = new Map(devices.filter(isLike(payload)).map((device) => [device.cdiDeviceId, device]));
  const [device] = named.values();
  if (device === undefined || named.size > 1 || payload.unowned?.includes(device.cdiDeviceId) !== true)
    return undefined;
  return { tag: 'done', device };
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
