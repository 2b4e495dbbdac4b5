import { SendError, type Http, type HttpRequest, type HttpResponse } from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';

export type Step = HttpResponse | Error | 'hang' | ((request: HttpRequest) => HttpResponse);

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** An `Http` that answers by a script, one step a request, the last step for ever; and a host around it. */
export function scripted(steps: readonly Step[], secrets: Record<string, string> = {}) {
  const sent: HttpRequest[] = [];
  const http: Http = {
    send: (request, signal) => {
      const step = steps[Math.min(sent.length, steps.length - 1)] ?? 'hang';
      sent.push(request);
      if (step === 'hang') return hang(signal);
      if (step instanceof Error) return Promise.reject(step);
      return Promise.resolve(typeof step === 'function' ? step(request) : step);
    },
  };
  const clock = new VirtualClock();
  const host = fakeHost({ clock, http, secrets });
  /** Lets virtual time pass until `work` is over; answers it and the time that it took. */
  async function run<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
    const began = clock.monotonic();
    const progress = { over: false };
    const end = work.finally(() => (progress.over = true));
    if (!(await clock.runUntil(() => progress.over, 3_600_000))) throw new Error('the call never ends');
    return { value: await end, ms: clock.monotonic() - began };
  }
  return { clock, host, sent, run };
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(new SendError('aborted', true, 'no answer in time'));
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
