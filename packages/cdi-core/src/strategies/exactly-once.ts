import type { Provider } from '../contract/provider.ts';
import type { AttachRequest, DetachRequest } from '../contract/ticket.ts';
import type { Strategy } from './strategy.ts';

/** Puts the strategies of attaching and detaching together into the three calls of a {@link Provider}. */
export function exactlyOnce(
  attach: Strategy<AttachRequest>,
  detach: Strategy<DetachRequest>,
): Pick<Provider, 'prepare' | 'start' | 'resume'> {
  return {
    prepare: (request, context) =>
      request.op === 'attach' ? attach.prepare(request, context) : detach.prepare(request, context),
    start: (ticket, context) => (ticket.op === 'attach' ? attach : detach).start(ticket, context),
    resume: (ticket, context, claimed = []) =>
      (ticket.op === 'attach' ? attach : detach).resume(ticket, context, claimed),
  };
}
