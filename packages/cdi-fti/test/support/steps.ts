import type { AttachRequest, DetachRequest, PrepareOutcome, StartOutcome, Ticket } from '@cro/cdi-core';
import type { Effect, Fault } from '@cro/fabric-sim';
import { contextOf, MODEL, type Fabric } from './fabric.ts';

export const HTML = '<html><body>404</body></html>';

export function attachRequest(fabric: Fabric, changes: Partial<AttachRequest> = {}): AttachRequest {
  return { op: 'attach', holder: 'uid-1', type: 'gpu', model: MODEL, machine: fabric.machine, claimed: [], ...changes };
}

export function detachRequest(fabric: Fabric, device: DetachRequest['device']): DetachRequest {
  return { op: 'detach', holder: 'uid-1', type: 'gpu', model: MODEL, machine: fabric.machine, device, claimed: [] };
}

export async function prepared(fabric: Fabric, request: AttachRequest | DetachRequest): Promise<PrepareOutcome> {
  return fabric.settle(fabric.provider.prepare(request, contextOf(fabric.provider)));
}

export async function ticketFor(fabric: Fabric, request: AttachRequest | DetachRequest): Promise<Ticket> {
  const outcome = await prepared(fabric, request);
  if (outcome.tag !== 'ticket') throw new Error(`prepare answered ${JSON.stringify(outcome)}`);
  return outcome.ticket;
}

export async function started(fabric: Fabric, ticket: Ticket): Promise<StartOutcome> {
  return fabric.settle(fabric.provider.start(ticket, contextOf(fabric.provider, 'mutate')));
}

export async function resumed(fabric: Fabric, ticket: Ticket, claimed: readonly string[] = []) {
  return fabric.settle(fabric.restart().resume(ticket, contextOf(fabric.provider), claimed));
}

/** Attaches one device and answers it. */
export async function attachOne(fabric: Fabric) {
  const outcome = await started(fabric, await ticketFor(fabric, attachRequest(fabric)));
  if (outcome.tag !== 'done' || outcome.device === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.device;
}

/** The Fabric Manager's error frame. */
export function framed(status: number, message: unknown, code = 'E02XXXX'): Effect {
  return { tag: 'answer', status, body: { json: { status, detail: { code, message, data: {} } } } };
}

export function html(status: number): Effect {
  return { tag: 'answer', status, body: { html: HTML } };
}

export function answer(status: number, json: unknown): Effect {
  return { tag: 'answer', status, body: { json } };
}

/** Strikes every call of a kind from now on. */
export function always(fabric: Fabric, kind: Fault['kind'], effect: Effect): void {
  fabric.sim.faults.add({ ...(kind === undefined ? {} : { kind }), times: Infinity, effect });
}
