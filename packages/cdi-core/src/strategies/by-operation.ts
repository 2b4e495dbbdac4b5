import type { Clock } from '@cro/clock';
import { DeviceType, decoderOf, type Decoded, type Failure } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import type { CallContext } from '../contract/provider.ts';
import type {
  AttachedDevice,
  AttachRequest,
  DetachRequest,
  Done,
  PrepareOutcome,
  PrepareRequest,
  ResumeOutcome,
  StartOutcome,
  Ticket,
} from '../contract/ticket.ts';
import type {
  ChangeFabric,
  GoalLook,
  OperationFabric,
  OperationStatus,
  OperationTarget,
  Subject,
} from './operation-fabric.ts';
import { Pace } from './pace.ts';
import type { Strategy, TicketMaker } from './strategy.ts';
import { issueTicket, openTicket } from './tickets.ts';

const Payload = Type.Object({
  strategy: Type.Literal('operation'),
  type: DeviceType,
  model: Type.String(),
  cdiDeviceId: Type.String({ minLength: 1 }),
  hints: Type.Optional(Type.Record(Type.String(), Type.String())),
  claims: Type.Optional(Type.Array(Type.String())),
  notes: Type.Unknown(),
  operation: Type.Optional(Type.String({ minLength: 1 })),
});
type Payload = Static<typeof Payload>;
const decodePayload = /* @__PURE__ */ decoderOf(Payload);

/** Attaching and detaching through operations of the fabric. */
export interface ByOperation {
  readonly attach: Strategy<AttachRequest>;
  readonly detach: Strategy<DetachRequest>;
}

/**
 * A fabric that accepts a request for a change and works on it by itself: an apply, a task, a resize. The ticket names the
 * device before anything is asked, and the operation as soon as the fabric has named it. What an operation says of itself
 * is not enough: it counts as done when the fabric shows it, which may be a while later.
 */
export function byOperation<Notes>(maker: TicketMaker, clock: Clock, fabric: OperationFabric<Notes>): ByOperation {
  const runner = new Runner(maker, clock, fabric);
  return {
    attach: {
      ...lifeOf(runner),
      prepare: async (request, context) => {
        const choice = await fabric.choose(request, context);
        return choice.tag === 'failed' ? choice : runner.issue(request, choice.subject);
      },
    },
    detach: detachOf(runner),
  };
}

/** Detaching through operations, for a fabric whose attach does not name the device. */
export function detachByOperation<Notes>(
  maker: TicketMaker,
  clock: Clock,
  fabric: ChangeFabric<Notes>,
): Strategy<DetachRequest> {
  return detachOf(new Runner(maker, clock, fabric));
}

function detachOf<Notes>(runner: Runner<Notes>): Strategy<DetachRequest> {
  return { ...lifeOf(runner), prepare: (request, context) => runner.prepareDetach(request, context) };
}

function lifeOf<Notes>(runner: Runner<Notes>): Pick<Strategy<PrepareRequest>, 'start' | 'resume'> {
  return {
    start: (ticket, context) => runner.start(ticket, context),
    resume: (ticket, context) => runner.resume(ticket, context),
  };
}

interface Opened<Notes> {
  readonly tag: 'ok';
  readonly target: OperationTarget<Notes>;
  readonly operation: string | undefined;
}

class Runner<Notes> {
  readonly #maker: TicketMaker;
  readonly #fabric: ChangeFabric<Notes>;
  readonly #pace: Pace;

  constructor(maker: TicketMaker, clock: Clock, fabric: ChangeFabric<Notes>) {
    this.#maker = maker;
    this.#fabric = fabric;
    this.#pace = new Pace(clock);
  }

  async prepareDetach(request: DetachRequest, context: CallContext): Promise<PrepareOutcome> {
    if (!request.device.cdiDeviceId && !request.device.deviceId) {
      return { tag: 'failed', failure: { kind: 'Rejected', message: 'a detach names no device: neither id is known' } };
    }
    const found = await this.#fabric.find(request, context);
    switch (found.tag) {
      case 'gone':
        return { tag: 'already' };
      case 'failed':
        return found;
      case 'found':
        return this.issue(request, found.subject);
    }
  }

  async start(ticket: Ticket, context: CallContext): Promise<StartOutcome> {
    const opened = this.#open(ticket);
    if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
    const submitted = await this.#fabric.submit(opened.target, context);
    switch (submitted.tag) {
      case 'done':
        return doneWith(opened.target, submitted.device);
      case 'accepted':
        return this.#pending(ticket, submitted.operation, submitted.retryAfterMs);
      case 'refused':
      case 'inDoubt':
        return submitted;
    }
  }

  async resume(ticket: Ticket, context: CallContext): Promise<ResumeOutcome> {
    const opened = this.#open(ticket);
    if (opened.tag === 'failed') return { tag: 'inDoubt', failure: opened.failure };
    const outcome = await this.#resumeOpened(ticket, opened, context);
    if (outcome.tag === 'done' || outcome.tag === 'notDone') this.#forget(ticket);
    return outcome;
  }

  async #resumeOpened(
    ticket: Ticket,
    { target, operation }: Opened<Notes>,
    context: CallContext,
  ): Promise<ResumeOutcome> {
    const { poll } = this.#fabric;
    if (operation === undefined || poll === undefined) return this.#searchOrLook(ticket, target, context);
    const status = await poll(operation, target, context);
    switch (status.tag) {
      case 'running':
        if (status.failure !== undefined) return { tag: 'inDoubt', failure: status.failure };
        if (status.sign !== undefined) this.#pace.saw(ticket.id, status.sign);
        return this.#pending(ticket, undefined, status.retryAfterMs);
      case 'failed':
        return { tag: 'inDoubt', failure: status.failure };
      case 'ended':
      case 'undone':
      case 'unclear':
      case 'gone':
        return this.#conclude(ticket, target, status, await this.#fabric.look(target, context));
    }
  }

  /** The request's answer was lost, or the fabric gives operations no name. */
  async #searchOrLook(ticket: Ticket, target: OperationTarget<Notes>, context: CallContext): Promise<ResumeOutcome> {
    const search = await this.#fabric.search?.(target, context);
    if (search?.tag === 'failed') return { tag: 'inDoubt', failure: search.failure };
    if (search?.tag === 'found') return this.#pending(ticket, search.operation);
    return this.#conclude(ticket, target, { tag: 'gone' }, await this.#fabric.look(target, context));
  }

  /** An operation is over, or unknown: what the fabric shows decides, as far as it can. */
  #conclude(
    ticket: Ticket,
    target: OperationTarget<Notes>,
    status: Extract<OperationStatus, { tag: 'ended' | 'undone' | 'unclear' | 'gone' }>,
    look: GoalLook,
  ): ResumeOutcome {
    switch (look.tag) {
      case 'reached':
        return doneWith(target, look.device);
      case 'failed':
        return { tag: 'inDoubt', failure: look.failure };
      case 'refused':
        return { tag: 'notDone', failure: look.failure };
      case 'working':
        return this.#pending(ticket);
      case 'notReached':
        return this.#notShown(ticket, target, status, look.failure);
    }
  }

  #notShown(
    ticket: Ticket,
    target: OperationTarget<Notes>,
    status: Extract<OperationStatus, { tag: 'ended' | 'undone' | 'unclear' | 'gone' }>,
    inTheWay: Failure | undefined,
  ): ResumeOutcome {
    switch (status.tag) {
      case 'undone':
        return { tag: 'notDone', failure: status.failure };
      case 'gone': {
        const failure = inTheWay === undefined ? {} : { failure: inTheWay };
        return { tag: 'unchanged', retryAfterMs: this.#pace.waitMs(ticket.id), ...failure };
      }
      case 'unclear':
        return { tag: 'unchanged', retryAfterMs: this.#pace.waitMs(ticket.id), failure: status.failure };
      case 'ended': {
        const key = `${ticket.id} ended`;
        const late = this.#pace.elapsedMs(key) >= this.#fabric.lagMs;
        if (!late) return { tag: 'pending', retryAfterMs: this.#pace.waitMs(key) };
        return { tag: 'inDoubt', failure: notShownYet(target) };
      }
    }
  }

  /** `wishMs`: how long the fabric wants to be left alone. */
  #pending(ticket: Ticket, operation?: string, wishMs = 0): Extract<ResumeOutcome, { tag: 'pending' }> {
    const retryAfterMs = this.#pace.waitMs(ticket.id, wishMs);
    if (operation === undefined) return { tag: 'pending', retryAfterMs };
    return { tag: 'pending', retryAfterMs, ticket: { ...ticket, payload: { ...ticket.payload, operation } } };
  }

  #forget(ticket: Ticket): void {
    this.#pace.end(ticket.id);
    this.#pace.end(`${ticket.id} ended`);
  }

  /** The ticket of an operation on this device. */
  issue(request: PrepareRequest, { cdiDeviceId, hints, claims, notes }: Subject<Notes>): PrepareOutcome {
    const { type, model } = request;
    const common = { strategy: 'operation', type, model, cdiDeviceId, notes };
    return issueTicket(this.#maker, request, { ...common, ...(hints && { hints }), ...(claims && { claims }) });
  }

  #open(ticket: Ticket): Opened<Notes> | { readonly tag: 'failed'; readonly failure: Failure } {
    const opened = openTicket(this.#maker.provider, ticket, (value) => this.#decode(value));
    if (opened.tag === 'failed') return opened;
    const { payload, notes } = opened.payload;
    const { type, model, cdiDeviceId, hints, operation } = payload;
    const { id, op, machine } = ticket;
    const subject = { cdiDeviceId, notes, ...(hints === undefined ? {} : { hints }) };
    return { tag: 'ok', target: { id, op, type, model, machine, ...subject }, operation };
  }

  #decode(value: unknown): Decoded<{ readonly payload: Payload; readonly notes: Notes }> {
    const payload = decodePayload(value);
    if (payload.tag === 'malformed') return payload;
    const notes = this.#fabric.decodeNotes(payload.object.notes);
    if (notes.tag === 'malformed') return { tag: 'malformed', message: `notes: ${notes.message}` };
    return { tag: 'ok', object: { payload: payload.object, notes: notes.object } };
  }
}

/** An attach names its device; a detach has none any more. */
function doneWith<Notes>(
  { op, cdiDeviceId, hints }: Subject<Notes> & { op: Ticket['op'] },
  device?: AttachedDevice,
): Done {
  if (op === 'detach') return { tag: 'done' };
  const health = { level: 'unknown', message: 'the fabric has not told its health yet' } as const;
  return { tag: 'done', device: device ?? { cdiDeviceId, health, ...(hints === undefined ? {} : { hints }) } };
}

function notShownYet<Notes>({ op, cdiDeviceId, machine }: OperationTarget<Notes>): Failure {
  const goal = op === 'attach' ? `on machine '${machine}'` : `off machine '${machine}'`;
  const message = `the fabric says that device '${cdiDeviceId}' is ${goal}, and does not show it there: see whether its inventory is still kept up to date`;
  return { kind: 'InDoubt', message };
}
