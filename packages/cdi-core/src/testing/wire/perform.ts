import { delay, type Clock } from '@cro/clock';
import type { Http, HttpRequest, HttpResponse } from '../../contract/host.ts';
import { SendError } from '../../http/send-error.ts';
import type { WireFault } from './fault.ts';

/** What a request is sent with. */
export interface Way {
  readonly inner: Http;
  readonly clock: Clock;
  /** Ends the process that sent the request. */
  readonly crash: () => void;
}

/** How long a request that is on its way when its process dies takes to arrive, in milliseconds. */
const UNDER_WAY_MS = 5_000;

/** Sends a request, as far as the fault lets it. */
export async function perform(
  way: Way,
  fault: WireFault | undefined,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { inner, clock } = way;
  // A fabric goes on with what it was asked for when the client hangs up.
  const deliver = () => inner.send(request, new AbortController().signal);
  switch (fault?.tag) {
    case undefined:
      return inner.send(request, signal);
    case 'crash':
      return crash(way, fault.moment, deliver);
    case 'lose':
      if (fault.moment === 'after') await deliver();
      throw new SendError('broken', true, 'the connection broke before there was an answer');
    case 'lateRequest':
      return orHangUp(delay(clock, fault.ms).then(deliver), signal);
    case 'lateAnswer':
      return orHangUp(
        deliver().then((answer) => delay(clock, fault.ms).then(() => answer)),
        signal,
      );
    case 'hang':
      return orHangUp(new Promise(() => undefined), signal);
    case 'answer':
      return fault.make(request, fault.moment === 'after' ? await deliver() : undefined);
    case 'twice': {
      const [first, second] = [await deliver(), await deliver()];
      return fault.answer === 'first' ? first : second;
    }
  }
}

async function crash(
  { clock, crash: die }: Way,
  moment: Extract<WireFault, { tag: 'crash' }>['moment'],
  deliver: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  switch (moment) {
    case 'before':
      die();
      break;
    case 'underWay':
      die();
      await delay(clock, UNDER_WAY_MS).then(deliver);
      break;
    case 'after':
      await deliver().finally(die);
      break;
  }
  throw new SendError('broken', true, 'the process is gone');
}

/** Waits for the answer, but not longer than the signal allows. */
function orHangUp(work: Promise<HttpResponse>, signal: AbortSignal): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(new SendError('aborted', true, 'no answer in time', signal.reason));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
