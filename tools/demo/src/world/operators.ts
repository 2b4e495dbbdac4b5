import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { operatorEnv, type OperatorPlace } from './operator-env.ts';
import { startProcess, type Exit, type OperatorProcess } from './operator-process.ts';
import type { WorldOptions } from './options.ts';

/** How to start an operator; what is given comes on top of the world's own. */
export interface OperatorStart {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Starts operators in one world, and sees to it that none outlives it. */
export interface Operators {
  /** Where its webhook listens, whichever process serves it. */
  readonly webhookPort: number;
  readonly logPath: string;
  start(options?: OperatorStart): OperatorProcess;
  /** Stops those that run. Rejects when one of them had to be killed for it. */
  stop(): Promise<void>;
}

const BUILT = fileURLToPath(new URL('../../../../apps/operator/dist/main.js', import.meta.url));
/** The operator gives itself 10 s (CRO_STOP_SECONDS). */
const STOP_WITHIN_MS = 15_000;
/** Loopback only: nothing of the world is reachable from elsewhere. */
const HOST = '127.0.0.1';

/** Throws, and says what to do, when the operator that would be started is not there. */
export function checkOperator({ operatorCommand }: WorldOptions): void {
  if (operatorCommand === undefined && !existsSync(BUILT)) {
    throw new Error(`there is no ${BUILT}: build it first, with "npx nx build @cro/operator-app"`);
  }
}

/** Prepares to start operators. `ended` is told of each one that ends without having been asked to. */
export async function prepareOperators(
  options: WorldOptions,
  place: OperatorPlace,
  directory: string,
  ended: (exit: Exit, operator: OperatorProcess) => void,
): Promise<Operators> {
  const { operatorCommand: command = [BUILT], operatorEnv: more = {} } = options;
  const webhookPort = await freePort();
  const logPath = join(directory, 'operator.log');
  const running = new Set<OperatorProcess>();
  // A crash of this process must not leave operators behind.
  const killAll = () => {
    for (const operator of running) if (operator.pid !== undefined) process.kill(operator.pid, 'SIGKILL');
  };
  process.once('exit', killAll);
  return {
    webhookPort,
    logPath,
    start({ env = {}, flags = [] } = {}) {
      const own = [`--webhook-bind-address=${HOST}:${webhookPort}`, '--health-probe-bind-address=0'];
      // Without a pod that commands could run in, nothing is asked of the nodes.
      const nodeActions = options.equipment?.pods === undefined ? 'none' : 'nvidia';
      const names = { CRO_WEBHOOK_NAMES: HOST, CRO_NODE_ACTIONS: nodeActions };
      const started = startProcess({
        args: [...command, ...own, ...flags],
        env: operatorEnv(place, { ...names, ...more, ...env }),
        logPath,
        clock: options.clock,
        stopWithinMs: options.stopWithinMs ?? STOP_WITHIN_MS,
      });
      running.add(started);
      started.exited.then(
        (exit) => {
          running.delete(started);
          if (!started.wasEnded()) ended(exit, started);
        },
        () => {
          running.delete(started);
          ended({ code: null, signal: null }, started);
        },
      );
      return started;
    },
    async stop() {
      try {
        await Promise.all([...running].map((operator) => operator.stop()));
      } finally {
        process.off('exit', killAll);
      }
    },
  };
}
