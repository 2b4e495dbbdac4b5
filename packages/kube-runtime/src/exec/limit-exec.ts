import type { ExecMetrics } from '../metrics/exec-metrics.ts';
import { WaitingLine } from '../waiting-line.ts';
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
  const line = new WaitingLine();
  let running = 0;
  const tell = () => metrics?.show({ running, waiting: line.length });
  return async (request) => {
    const { signal } = request;
    if (signal?.aborted === true) return { tag: 'aborted' };
    if (running < atOnce) running += 1;
    else {
      const turn = line.join(signal);
      tell();
      if ((await turn) === 'left') {
        tell();
        return { tag: 'aborted' };
      }
    }
    tell();
    try {
      return await exec(request);
    } finally {
      // Who is called takes this one's place: nobody who comes meanwhile can.
      if (!line.callNext()) running -= 1;
      tell();
    }
  };
}
