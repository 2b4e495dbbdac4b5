import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GPU_NODES, startWorld, startWorldOn, type OperatorProcess, type World, type WorldOptions } from '@cro/demo';
import { processUse, type ProcessUse } from '../probe/proc.ts';
import { readStall, type Stall } from '../probe/stalls.ts';
import { startRealPlane } from '../planes/real-plane.ts';
import type { BenchHost } from './host.ts';
import { occurrences, untilLogged } from './log-lines.ts';
import { Timeline } from './timeline.ts';

/** A world with an operator that is watched. */
export interface Scene {
  readonly host: BenchHost;
  readonly world: World;
  readonly timeline: Timeline;
  /** Whether nodes answer commands, and the operator gives them some. */
  readonly nodesAnswer: boolean;
  /** The operator that was started last. Throws when there is none. */
  operator(): OperatorProcess;
  /** Starts an operator and waits until it leads and has read everything. */
  start(): Promise<void>;
  /** Stops the operator in an orderly way. Rejects when it fails at that, or keeps the lease. */
  stop(): Promise<void>;
  /** Memory and CPU time of the operator now. */
  use(): ProcessUse;
  /** The longest stall of the operator's event loop since this was last asked, or since it was started. */
  stall(): Promise<Stall>;
}

/** The world of a scene. */
export interface SceneOptions extends Omit<
  WorldOptions,
  'clock' | 'random' | 'operatorCommand' | 'interrupted' | 'equipment'
> {
  /** Default true. */
  readonly nodesAnswer?: boolean;
}

const PROBE = import.meta.resolve('@cro/bench/stall-probe');
/** The lease was let go of before the process ended: only the news of it is on its way. */
const RELEASED_WITHIN_MS = 5_000;
const STARTS_WITHIN_MS = 180_000;
/** What the operator logs when its caches are full and its reconcilers run. */
const STARTED = 'everything has been read';

/**
 * Brings up a world whose nodes answer commands unless told otherwise, runs `work` in it, and keeps the operator's log under `name`, whatever comes of it. An
 * interruption ends it as trouble in the world does: what was started is stopped, in its order. Rejects, besides, when hardware of the
 * nodes that answer was mistreated: no figure excuses that.
 */
export async function inScene<T>(
  host: BenchHost,
  name: string,
  { nodesAnswer = true, ...options }: SceneOptions,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const { clock, random, logDirectory, real, interrupted } = host;
  const operatorCommand = ['--import', PROBE, ...host.operatorFlags, host.operator];
  const given = {
    clock,
    random,
    webhook: false,
    operatorCommand,
    interrupted,
    ...(nodesAnswer && { equipment: GPU_NODES }),
    ...options,
  };
  const world = await (real === undefined
    ? startWorld(given)
    : startWorldOn((directory) => startRealPlane(real, given, directory), given));
  try {
    world.trouble.throwIfAborted();
    const done = await work(sceneIn(world, host, nodesAnswer));
    // Nobody asks a node to let go of a device where nodes do not answer.
    if (nodesAnswer) world.nodes.assertNoFaults();
    return done;
  } finally {
    await keepLog(world, logDirectory, name).finally(() => world.close());
  }
}

/** There is no log before an operator was started. */
async function keepLog({ logPath }: World, directory: string, name: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  if (existsSync(logPath)) await copyFile(logPath, join(directory, `${name}.operator.log`));
}

function sceneIn(world: World, host: BenchHost, nodesAnswer: boolean): Scene {
  const { clock } = host;
  const stallsPath = join(dirname(world.logPath), 'stalls.json');
  let running: OperatorProcess | undefined;
  const operator = () => {
    if (running === undefined) throw new Error('no operator was started');
    return running;
  };
  const pid = () => {
    const found = operator().pid;
    if (found === undefined) throw new Error('the operator could not be started');
    return found;
  };
  return {
    host,
    world,
    timeline: new Timeline(world, clock),
    nodesAnswer,
    operator,
    async start() {
      const path = world.logPath;
      const times = (running === undefined ? 0 : occurrences(path, STARTED)) + 1;
      running = world.startOperator({ env: { CRO_BENCH_STALLS: stallsPath } });
      const { trouble: signal } = world;
      await world.untilOperatorLeads(STARTS_WITHIN_MS);
      await untilLogged({ clock, path, text: STARTED, times, withinMs: STARTS_WITHIN_MS, signal });
    },
    async stop() {
      const { code } = await operator().stop();
      if (code !== 0) throw new Error(`the operator's exit code after SIGTERM is ${code ?? 'none'}, not 0`);
      await world.untilNobodyLeads(RELEASED_WITHIN_MS);
    },
    use: () => processUse(pid()),
    stall: () => readStall(clock, pid(), stallsPath, world.trouble),
  };
}
