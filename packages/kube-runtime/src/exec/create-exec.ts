import { startDeadline, type Clock } from '@cro/clock';
import type { HttpsTransport } from '../https/https-transport.ts';
import { messageOf } from '../json.ts';
import type { ExecOutcome } from './outcome.ts';
import { pathOf, problemOf, type ExecRequest } from './request.ts';
import { runSession } from './session.ts';

/** Runs a command in a container, and waits until it has ended. It never rejects. */
export type Exec = (request: ExecRequest) => Promise<ExecOutcome>;

/** What exec needs. */
export interface ExecOptions {
  /** Its connections and credentials are used. */
  readonly transport: Pick<HttpsTransport, 'upgrade'>;
  readonly clock: Clock;
}

/** Makes an exec client for `pods/exec`. */
export function createExec({ transport, clock }: ExecOptions): Exec {
  return async (request) => {
    const problem = problemOf(request);
    if (problem !== undefined) return { tag: 'refused', status: 0, message: problem };
    const { deadlineMs } = request;
    const deadline = startDeadline(clock, deadlineMs, request.signal);
    const over = (): ExecOutcome => (deadline.expired() ? { tag: 'timedOut', deadlineMs } : { tag: 'aborted' });
    try {
      return await orAborted(run(transport, request, deadline.signal), deadline.signal, over);
    } finally {
      deadline.clear();
    }
  };
}

async function run(
  transport: ExecOptions['transport'],
  request: ExecRequest,
  signal: AbortSignal,
): Promise<ExecOutcome> {
  try {
    const upgrade = await transport.upgrade(pathOf(request));
    // Nothing is sent when time was up meanwhile: whoever asked has an outcome already.
    if (signal.aborted) return { tag: 'aborted' };
    return await runSession(upgrade, request, signal);
  } catch (error) {
    // Credentials that cannot be read.
    return { tag: 'unreachable', message: messageOf(error) };
  }
}

/** What `work` gives, or what `over` says when the signal aborts first. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal, over: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      resolve(over());
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject);
  });
}
