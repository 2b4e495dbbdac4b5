import type { ExecMetrics } from '../metrics/exec-metrics.ts';
import type { Exec } from './create-exec.ts';

/** How many commands may run. */
export interface ExecLimit {
  /** At one time, in the whole process. At least 1. */
  readonly atOnce: number;
  readonly metrics?: ExecMetrics;
}

/**
 * Lets no more than `atOnce` commands run at one time; the others wait, first come, first served. Each takes a connection of its own, and a
 * TLS handshake in this thread: hundreds at once would take all connections of a transport, and hold up who shares it. A
 * command's deadline counts from when it is sent: it says how long the command may take, not how long others do. Who waits is let go by its signal.
 */
export function limitExec(exec: Exec, { atOnce, metrics }: ExecLimit): Exec {
  const waiting = new Set<() => void>();
  let running = 0;
  const tell = () => metrics?.show({ running, waiting: waiting.size });
  const begin = () => {
    running += 1;
    tell();
  };
  const end = () => {
    running -= 1;
    const [next] = waiting;
    next?.();
    tell();
  };
  return async (request) => {
    const { signal } = request;
    if (signal?.aborted === true) return { tag: 'aborted' };
    if (running >= atOnce) {
      const turn = await turnIn(waiting, signal, begin, tell);
      if (turn === 'aborted') return { tag: 'aborted' };
    } else begin();
    try {
      return await exec(request);
    } finally {
      end();
    }
  };
}

/** Waits in the queue. `begin` is called at once when it is its turn, so that nobody who comes meanwhile takes it. */
function turnIn(
  waiting: Set<() => void>,
  signal: AbortSignal | undefined,
  begin: () => void,
  tell: () => void,
): Promise<'begun' | 'aborted'> {
  return new Promise((resolve) => {
    const leave = (how: 'begun' | 'aborted') => {
      waiting.delete(go);
      signal?.removeEventListener('abort', giveUp);
      resolve(how);
    };
    const go = () => {
      leave('begun');
      begin();
    };
    const giveUp = () => {
      leave('aborted');
      tell();
    };
    waiting.add(go);
    signal?.addEventListener('abort', giveUp, { once: true });
    tell();
  });
}
