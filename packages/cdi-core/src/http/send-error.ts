/** Why there was no answer. */
export type SendFault =
  /** The name of the host could not be resolved. */
  | 'dns'
  /** Nothing listens there, or there is no route. */
  | 'refused'
  /** The server's certificate is not trusted, has expired or is for another name; or it speaks no TLS. */
  | 'tls'
  /** The file with trusted certificates cannot be used. */
  | 'trust'
  /** The connection broke, or the answer was cut short or too large. */
  | 'broken'
  /** The caller's signal was aborted. */
  | 'aborted';

const MARK = Symbol.for('cro.cdi-core.send-error');

/** There was no answer. `sent: false`: certain that the request never left, so that nothing can have changed. */
export class SendError extends Error {
  readonly fault: SendFault;
  readonly sent: boolean;
  /** Two copies of this package in one process recognise each other's errors by it. */
  readonly [MARK] = true;

  constructor(fault: SendFault, sent: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SendError';
    this.fault = fault;
    this.sent = sent;
  }
}

/** Recognises a {@link SendError}, also one of another copy of this package. */
export function isSendError(error: unknown): error is SendError {
  return typeof error === 'object' && error !== null && MARK in error;
}

/** Throws when the signal is aborted already, so that nothing is sent. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new SendError('aborted', false, 'stopped before it was sent', signal.reason);
}
