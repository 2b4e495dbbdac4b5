import { delay, startDeadline, type Clock } from '@cro/clock';
import type { Transport } from '@cro/kube-runtime';

const ASK_AGAIN_MS = 100;
const ANSWER_WITHIN_MS = 5_000;

/** Waits until the API server answers 200 to a GET. A server in another process cannot tell by itself: it is asked. */
export async function untilOk(transport: Transport, clock: Clock, path: string, withinMs: number): Promise<void> {
  const until = clock.monotonic() + withinMs;
  for (;;) {
    const found = await ask(transport, clock, path);
    if (found === 'ok') return;
    if (clock.monotonic() >= until) {
      throw new Error(`the API server did not serve ${path} within ${withinMs / 1000} s; it says: ${found}`);
    }
    await delay(clock, ASK_AGAIN_MS);
  }
}

async function ask(transport: Transport, clock: Clock, path: string): Promise<string> {
  const deadline = startDeadline(clock, ANSWER_WITHIN_MS);
  try {
    const response = await transport.send({ method: 'GET', path, headers: {} }, deadline.signal);
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    return response.status === 200 ? 'ok' : `${response.status} ${text}`;
  } catch (error) {
    // Not listening yet, or busy starting.
    return error instanceof Error ? error.message : String(error);
  } finally {
    deadline.clear();
  }
}
