import assert from 'node:assert/strict';
import { MAX_TICKET_BYTES } from '@cro/crd-types';
import type { CallContext, Provider } from '../../contract/provider.ts';
import type {
  AttachedDevice,
  AttachRequest,
  DetachRequest,
  PrepareRequest,
  ResumeOutcome,
  StartOutcome,
  Ticket,
} from '../../contract/ticket.ts';
import type { ContractWorld } from './contract-world.ts';
import type { Stage } from './stage.ts';

/** A context that nobody aborts. */
export function contextOf(provider: Provider, kind: 'read' | 'mutate'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}

/** The request to attach one of the wanted devices. */
export function attachRequest({ world }: Stage, claimed: readonly string[] = []): AttachRequest {
  return { op: 'attach', holder: 'holder-1', machine: world.machine, claimed, ...world.wanted };
}

/** The request to detach a device. */
export function detachRequest({ world }: Stage, device: AttachedDevice, machine = world.machine): DetachRequest {
  const { cdiDeviceId, deviceId } = device;
  const ids = { cdiDeviceId, ...(deviceId === undefined ? {} : { deviceId }) };
  return { op: 'detach', holder: 'holder-1', machine, device: ids, claimed: [], ...world.wanted };
}

/** A ticket as it comes back from the API server: through JSON. Fails when it is larger than an object may hold. */
export function savedTicket(ticket: Ticket): Ticket {
  const text = JSON.stringify(ticket);
  assert(Buffer.byteLength(text) <= MAX_TICKET_BYTES, 'the ticket is larger than MAX_TICKET_BYTES');
  const again: unknown = JSON.parse(text);
  assert.deepEqual(again, ticket, 'the ticket is not plain JSON');
  return structuredClone(ticket);
}

/** Prepares, and answers the ticket as the API server has kept it. Fails when there is none. */
export async function ticketFor({ world }: Stage, provider: Provider, request: PrepareRequest): Promise<Ticket> {
  const prepared = await world.settle(provider.prepare(request, contextOf(provider, 'read')));
  assert(prepared.tag === 'ticket', `prepare answered ${JSON.stringify(prepared)}, a ticket was expected`);
  return savedTicket(prepared.ticket);
}

/** Starts a ticket, and resumes it while the fabric is at work. */
export async function startToEnd(
  { world }: Stage,
  provider: Provider,
  ticket: Ticket,
): Promise<StartOutcome | ResumeOutcome> {
  const outcome = await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
  return outcome.tag === 'pending' ? resumeToEnd(world, provider, outcome.ticket ?? ticket) : outcome;
}

/** Most looks at one operation before the suite calls it stuck. */
const MAX_LOOKS = 1_000;

/** Resumes a ticket until the answer is no longer `pending`. */
export async function resumeToEnd(world: ContractWorld, provider: Provider, ticket: Ticket): Promise<ResumeOutcome> {
  let present = ticket;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const outcome = await world.settle(provider.resume(present, contextOf(provider, 'read'), []));
    if (outcome.tag !== 'pending') return outcome;
    present = outcome.ticket ?? present;
    await world.wait(outcome.retryAfterMs);
  }
  return assert.fail(`the operation is still pending after ${MAX_LOOKS} looks`);
}

/** Attaches one device. */
export async function attachOne(stage: Stage, provider: Provider): Promise<AttachedDevice> {
  const ticket = await ticketFor(stage, provider, attachRequest(stage));
  const outcome = await startToEnd(stage, provider, ticket);
  assert(outcome.tag === 'done', `the attach ended as ${JSON.stringify(outcome)}`);
  assert(outcome.device !== undefined, 'an attach that is done names its device');
  return outcome.device;
}
