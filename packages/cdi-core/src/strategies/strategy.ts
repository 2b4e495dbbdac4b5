import type { CallContext } from '../contract/provider.ts';
import type { PrepareOutcome, PrepareRequest, ResumeOutcome, StartOutcome, Ticket } from '../contract/ticket.ts';

/** What a provider is called, and which format its tickets have. */
export interface TicketMaker {
  readonly provider: string;
  readonly newId: () => string;
}

/** One way to do an operation exactly once. `Request` is the operation that it is for. */
export interface Strategy<Request extends PrepareRequest> {
  prepare(request: Request, context: CallContext): Promise<PrepareOutcome>;
  start(ticket: Ticket, context: CallContext): Promise<StartOutcome>;
  resume(ticket: Ticket, context: CallContext, claimed: readonly string[]): Promise<ResumeOutcome>;
}
