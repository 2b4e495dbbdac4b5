import { delay } from '@cro/clock';
import { atMost, exactly, Figures, type Figure, type Goal } from '../figure.ts';
import { startCounting } from '../scene/counts.ts';
import type { BenchHost } from '../scene/host.ts';
import { prefill } from '../scene/prefill.ts';
import { untilQuiet } from '../scene/quiet.ts';
import { inScene, type Scene } from '../scene/scene.ts';
import type { Bench } from './bench.ts';
import { addStall } from './common-figures.ts';

/** Devices of one request. */
const SIZE = 2;
/** The default of CRO_SYNC_SECONDS: a minute has one sweep of the fabric. */
const MINUTE_S = 60;
const MOST_ON_A_MACHINE = 100;

/** A minute in which nothing happens, with 500 and with 10,000 devices. */
export const steady: Bench = restBench('steady', [500, 10_000]);
/** Memory with 1,000 and with 100,000 devices. */
export const memory: Bench = restBench('memory', [1_000, 100_000]);

function restBench(name: string, sizes: readonly number[]): Bench {
  const counts = sizes.map((count) => count.toLocaleString('en')).join(' and ');
  return {
    name,
    title: `a minute with ${counts} devices Online in which nothing happens, and the operator's memory`,
    async run(host) {
      const figures: Figure[] = [];
      for (const devices of host.quick ? sizes.slice(0, 1).map((count) => count / 25) : sizes) {
        figures.push(...(await rest(host, devices)));
      }
      return figures;
    },
  };
}

async function rest(host: BenchHost, devices: number): Promise<readonly Figure[]> {
  const machines = Math.max(host.quick ? 2 : 16, Math.ceil(devices / MOST_ON_A_MACHINE));
  const minuteS = host.quick ? 2 : MINUTE_S;
  const options = { nodes: machines, devices, webhook: true, operatorEnv: { CRO_SYNC_SECONDS: String(minuteS) } };
  return inScene(host, `rest-${devices}`, options, async (scene) => {
    host.say(`${devices} devices Online: they are put there`);
    await scene.start();
    await prefill(scene, { devices, size: SIZE });
    host.say('the operator starts and reads them');
    const started = await start(scene, machines);
    host.say(`nothing happens for ${minuteS} s`);
    const counted = startCounting(scene);
    const cpuBefore = scene.use().cpuS;
    await delay(host.clock, minuteS * 1000, scene.world.trouble);
    const { apiWrites, apiReads, fabricReads, tokens, attach, detach } = counted();
    if (attach + detach > 0)
      throw new Error(`nobody asked for anything, and the fabric got ${attach + detach} changes`);
    const { rssMiB, peakMiB, cpuS } = scene.use();
    const figures = new Figures(`${devices} devices Online on ${machines} machines, a start and a minute at rest`)
      .add('API writes in the minute', apiWrites, 'count', exactly(0))
      .add('API reads in the minute', apiReads, 'count')
      .add('fabric reads in the minute', fabricReads, 'count', atMost(machines))
      .add('token calls in the minute', tokens, 'count', exactly(0))
      .add('CPU time in the minute', cpuS - cpuBefore, 's')
      .add('memory (VmRSS) after the minute', rssMiB, 'MiB', memoryGoal(devices))
      .add('memory at its peak (VmHWM)', peakMiB, 'MiB')
      .add('start: until everything has been read', started.readS, 's')
      .add('start: API writes (the event that it leads)', started.apiWrites, 'count', exactly(1));
    addStall(figures, started.stall, 'start: ');
    return addStall(figures, await scene.stall()).all;
  });
}

/** Starts the operator on what is there, and waits until it has read the cluster and the fabric and has come to rest. */
async function start(scene: Scene, machines: number) {
  const { clock } = scene.host;
  const counted = startCounting(scene);
  const from = clock.monotonic();
  await scene.start();
  const readS = (clock.monotonic() - from) / 1000;
  do await untilQuiet(scene);
  while (counted().fabricReads < machines);
  return { readS, stall: await scene.stall(), apiWrites: counted().apiWrites };
}

function memoryGoal(devices: number): Goal {
  if (devices <= 500) return atMost(100);
  return atMost(devices <= 10_000 ? 128 : 300);
}
