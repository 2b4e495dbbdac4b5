import { atMost, Figures, type Figure } from '../figure.ts';
import { percentile } from '../percentile.ts';
import { startCounting } from '../scene/counts.ts';
import type { BenchHost } from '../scene/host.ts';
import { create, createAll, remove, removeAll, untilGone, untilRunning, untilWritesRest } from '../scene/requests.ts';
import { inScene, type Scene } from '../scene/scene.ts';
import { checkCalls, type Bench } from './bench.ts';
import { addCosts, addExecs, addStall, MOST_EXECS } from './common-figures.ts';

/** How slow the world is, in milliseconds. */
interface Pace {
  readonly attachMs: number;
  readonly publishDelayMs: number;
}

/** Devices of one request. */
const SIZE = 2;
/** A driver that publishes late, but by itself, is waited for and not restarted: a restart would publish at once, and flatter the figure. */
const PATIENT = { CRO_PUBLISH_WAIT_SECONDS: '10' };

/** How much the operator adds to the fabric's and the driver's own time, from a request's creation to Running. */
export const latency: Bench = {
  name: 'latency',
  title: 'latency that the operator adds to requests of 2',
  async run(host) {
    const { quick } = host;
    const inARow = quick ? 1 : 20;
    const counts = quick ? [2] : [10, 100];
    const instant = { attachMs: 0, publishDelayMs: 0 };
    return [
      ...(await withPace(host, instant, inARow, counts)),
      ...(await withPace(host, { ...instant, attachMs: quick ? 20 : 200 }, inARow, quick ? [] : counts)),
      ...(await withPace(host, { ...instant, publishDelayMs: quick ? 100 : 3000 }, inARow, [])),
    ];
  },
};

async function withPace(host: BenchHost, pace: Pace, inARow: number, atOnce: readonly number[]) {
  const most = Math.max(1, ...atOnce);
  const name = `latency-fabric-${pace.attachMs}-driver-${pace.publishDelayMs}`;
  return inScene(host, name, { nodes: most, devices: most * SIZE, operatorEnv: PATIENT, ...pace }, async (scene) => {
    await scene.start();
    const figures = [...(await oneByOne(scene, pace, inARow))];
    for (const count of atOnce) figures.push(...(await together(scene, pace, count)));
    return figures;
  });
}

async function oneByOne(scene: Scene, pace: Pace, count: number): Promise<readonly Figure[]> {
  const { host, world } = scene;
  const work = `${count} requests of ${SIZE} in a row, ${describe(pace)}`;
  host.say(work);
  await scene.stall();
  const counted = startCounting(scene);
  const added: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const name = `row-${n}`;
    await create(scene, name, SIZE);
    await untilRunning(scene, [name]);
    added.push(addedBy(scene, name, pace));
    await remove(scene, name);
    await untilGone(scene, [name]);
  }
  world.fabric.assertPoolWhole();
  const counts = counted();
  const devices = count * SIZE;
  checkCalls(counts, { attach: devices, detach: devices });
  const figures = new Figures(work)
    .add('added latency, P50', percentile(added, 50), 'ms', atMost(100))
    .add('added latency, P99', percentile(added, 99), 'ms')
    .add('API writes a device, there and back', counts.apiWrites / devices, 'ratio')
    .add(
      'execs a device, there and back',
      counts.execs / devices,
      'ratio',
      atMost(MOST_EXECS.attach + MOST_EXECS.detach),
    )
    .add('restarts of kubelet plugins', counts.pluginRestarts, 'count')
    .add('fabric reads a device, there and back', counts.fabricReads / devices, 'ratio')
    .add('token calls', counts.tokens, 'count');
  return addStall(figures, await scene.stall()).all;
}

async function together(scene: Scene, pace: Pace, count: number): Promise<readonly Figure[]> {
  const { host } = scene;
  const work = `${count} requests of ${SIZE} at once, ${describe(pace)}`;
  host.say(work);
  await scene.stall();
  const counted = startCounting(scene);
  const names = Array.from({ length: count }, (_, n) => `all-${count}-${n}`);
  await createAll(scene, names, SIZE);
  await untilRunning(scene, names);
  await untilWritesRest(scene);
  const counts = counted();
  checkCalls(counts, { attach: count * SIZE, detach: 0 });
  const added = names.map((name) => addedBy(scene, name, pace));
  const figures = new Figures(work)
    .add('added latency, P50', percentile(added, 50), 'ms')
    .add('added latency, P99', percentile(added, 99), 'ms');
  addCosts(figures, 'attach', counts, count * SIZE);
  addExecs(figures, 'attach', counts, count * SIZE);
  addStall(figures, await scene.stall());
  await removeAll(scene, names);
  await untilGone(scene, names);
  return figures.all;
}

/** Each request is alone on its machine, which attaches one device after the other; the drivers need their time at once. */
function addedBy({ timeline }: Scene, name: string, { attachMs, publishDelayMs }: Pace): number {
  const { created = Number.NaN, running = Number.NaN } = timeline.of(name);
  return running - created - SIZE * attachMs - publishDelayMs;
}

function describe({ attachMs, publishDelayMs }: Pace): string {
  const fabric = attachMs === 0 ? 'instant fabric' : `fabric ${attachMs} ms an attach`;
  return publishDelayMs === 0 ? fabric : `${fabric}, visible ${publishDelayMs / 1000} s late`;
}
