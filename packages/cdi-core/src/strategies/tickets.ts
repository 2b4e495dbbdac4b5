import { MAX_TICKET_BYTES, type Decoded, type Failure } from '@cro/crd-types';
import type { PrepareOutcome, PrepareRequest, Ticket } from '../contract/ticket.ts';
import { cleanText } from '../text/clean-text.ts';
import type { TicketMaker } from './strategy.ts';

/** Format of the payloads that the strategies write. Raise it when a reader of the old format would misread the new one. */
export const PAYLOAD_VERSION = 1;

/** Makes a ticket, or says that it is too large to be kept in an object. */
export function issueTicket(
  maker: TicketMaker,
  request: PrepareRequest,
  payload: Readonly<Record<string, unknown>>,
): PrepareOutcome {
  const ticket: Ticket = {
    id: maker.newId(),
    op: request.op,
    provider: maker.provider,
    version: PAYLOAD_VERSION,
    machine: request.machine,
    holder: request.holder,
    phase: 'open',
    payload: { ...payload },
  };
  const bytes = Buffer.byteLength(JSON.stringify(ticket));
  if (bytes <= MAX_TICKET_BYTES) return { tag: 'ticket', ticket };
  const message = `machine ${cleanText(request.machine)} has too many devices of this model to keep a record of: ${bytes} bytes, at most ${MAX_TICKET_BYTES} fit`;
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}

/** Reads a ticket's payload. A ticket of somebody else, of another format, or a damaged one is told in one sentence. */
export function openTicket<T>(
  provider: string,
  ticket: Ticket,
  decode: (value: unknown) => Decoded<T>,
): { readonly tag: 'ok'; readonly payload: T } | { readonly tag: 'failed'; readonly failure: Failure } {
  if (ticket.provider !== provider) {
    return unreadable(`it was made by provider '${cleanText(String(ticket.provider))}', this is '${provider}'`);
  }
  if (ticket.version !== PAYLOAD_VERSION) {
    return unreadable(`its version is ${cleanText(String(ticket.version))}, this provider reads ${PAYLOAD_VERSION}`);
  }
  const decoded = decode(ticket.payload);
  if (decoded.tag === 'malformed') return unreadable(`payload: ${cleanText(decoded.message)}`);
  return { tag: 'ok', payload: decoded.object };
}

function unreadable(reason: string): { readonly tag: 'failed'; readonly failure: Failure } {
  const message = `status.operation cannot be read: ${reason}. Find out on the fabric whether the operation happened, then correct the object by hand`;
  return { tag: 'failed', failure: { kind: 'Protocol', message } };
}
