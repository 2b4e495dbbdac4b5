import { delay, startDeadline, type Clock } from '@cro/clock';
import type { Transport } from '@cro/kube-runtime';

const ASK_AGAIN_MS = 100;
const ANSWER_WITHIN_MS = 5_000;

/** Waits until the API server says that it is ready. A server in another process cannot tell by itself: it is asked. */
export async function untilReady(transport: Transport, clock: Clock, withinMs: number): Promise<void> {
  const until = clock.monotonic() + withinMs;
  for (;;) {
    const found = await ask(transport, clock);
    if (found === 'ready') return;
    if (clock.monotonic() >= until) {
      throw new Error(`the API server was not ready within ${withinMs / 1000} s; it says: ${found}`);
    }
    await delay(clock, ASK_AGAIN_MS);
  }
}

async function ask(transport: Transport, clock: Clock): Promise<string> {
  const deadline = startDeadline(clock, ANSWER_WITHIN_MS);
  try {
    const response = await transport.send({ method: 'GET', path: '/readyz', headers: {} }, deadline.signal);
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString();
    return response.status === 200 ? 'ready' : `${response.status} ${text}`;
  } catch (error) {
    // Not listening yet, or busy starting.
    return error instanceof Error ? error.message : String(error);
  } finally {
    deadline.clear();
  }
}
