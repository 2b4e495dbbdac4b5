import { Figures, type Figure, type Goal } from '../figure.ts';
import { startCounting } from '../scene/counts.ts';
import type { BenchHost } from '../scene/host.ts';
import { createAll, removeAll, untilGone, untilRunning, untilWritesRest } from '../scene/requests.ts';
import { inScene, type Scene, type SceneOptions } from '../scene/scene.ts';
import { processUse } from '../probe/proc.ts';
import { checkCalls } from './bench.ts';
import { addCosts, addExecs, addStall, type CostGoals } from './common-figures.ts';

/** Requests that are created at once and, when all of them are Running, deleted at once; each on a machine of its own. */
export interface Crowd {
  /** For the log's name. */
  readonly name: string;
  readonly requests: number;
  /** Devices of one request. */
  readonly size: number;
  readonly world?: Pick<SceneOptions, 'attachMs' | 'detachMs' | 'nodesAnswer'>;
  /** What the fabric is like, in words. */
  readonly fabric: string;
  /** For the time, in seconds, from the first creation to the last Running. */
  readonly there?: Goal;
  /** For the time from the deletion to the last one's end. */
  readonly back?: Goal;
  readonly costs?: { readonly there?: CostGoals; readonly back?: CostGoals };
}

/** Runs a crowd there and back. */
export function thereAndBack(host: BenchHost, crowd: Crowd): Promise<readonly Figure[]> {
  const { name, requests, size, world } = crowd;
  return inScene(host, name, { nodes: requests, devices: requests * size, ...world }, async (scene) => {
    await scene.start();
    const names = Array.from({ length: requests }, (_, n) => `request-${n}`);
    return [...(await there(scene, crowd, names)), ...(await back(scene, crowd, names))];
  });
}

async function there(scene: Scene, { requests, size, fabric, there: goal, costs }: Crowd, names: readonly string[]) {
  const { host, timeline } = scene;
  const devices = requests * size;
  const work = `${devices} devices asked for at once by ${requests} requests, ${fabric}`;
  host.say(work);
  await scene.stall();
  const cpuBefore = cpuOf(scene);
  const counted = startCounting(scene);
  const from = host.clock.monotonic();
  await createAll(scene, names, size);
  await untilRunning(scene, names);
  await untilWritesRest(scene);
  const counts = counted();
  const cpu = cpuOf(scene);
  checkCalls(counts, { attach: devices, detach: 0 });
  const last = Math.max(...names.map((name) => timeline.of(name).running ?? Number.NaN));
  const figures = new Figures(work)
    .add('time until all are Running', (last - from) / 1000, 's', goal)
    .add('CPU time of the operator', cpu.operatorS - cpuBefore.operatorS, 's')
    .add('CPU time of the simulators', cpu.simulatorsS - cpuBefore.simulatorsS, 's');
  addCosts(figures, 'attach', counts, devices, costs?.there);
  if (scene.nodesAnswer) addExecs(figures, 'attach', counts, devices);
  return addStall(figures, await scene.stall()).all;
}

async function back(scene: Scene, { requests, size, fabric, back: goal, costs }: Crowd, names: readonly string[]) {
  const { host, timeline, world } = scene;
  const devices = requests * size;
  const work = `${devices} devices given back at once by ${requests} requests, ${fabric}`;
  host.say(work);
  const cpuBefore = cpuOf(scene);
  const counted = startCounting(scene);
  const from = host.clock.monotonic();
  await removeAll(scene, names);
  await untilGone(scene, names);
  await untilWritesRest(scene);
  const counts = counted();
  const cpu = cpuOf(scene);
  checkCalls(counts, { attach: 0, detach: devices });
  world.fabric.assertPoolWhole();
  const last = Math.max(...names.map((name) => timeline.of(name).gone ?? Number.NaN));
  const figures = new Figures(work)
    .add('time until all are gone', (last - from) / 1000, 's', goal)
    .add('CPU time of the operator', cpu.operatorS - cpuBefore.operatorS, 's')
    .add('CPU time of the simulators', cpu.simulatorsS - cpuBefore.simulatorsS, 's');
  addCosts(figures, 'detach', counts, devices, costs?.back);
  if (scene.nodesAnswer) addExecs(figures, 'detach', counts, devices);
  return addStall(figures, await scene.stall()).all;
}

/** CPU time so far, in seconds: of the operator, and of this process, which is fabric and nodes, and the control plane where that is simulated. */
function cpuOf(scene: Scene) {
  return { operatorS: scene.use().cpuS, simulatorsS: processUse(process.pid).cpuS };
}
