import { exactly, Figures } from '../figure.ts';
import { startCounting } from '../scene/counts.ts';
import { create, untilRunning } from '../scene/requests.ts';
import { inScene, type Scene } from '../scene/scene.ts';
import type { Bench } from './bench.ts';

/** A fabric that is at work long enough to be in the middle of it. */
const ATTACH_MS = 500;

/** The operator is killed while the fabric attaches, and another one takes over. */
export const crash: Bench = {
  name: 'crash',
  title: 'the operator is killed during an attach, three times',
  run(host) {
    const crashes = host.quick ? 1 : 3;
    return inScene(host, 'crash', { nodes: crashes, devices: 2 * crashes, attachMs: ATTACH_MS }, async (scene) => {
      await scene.start();
      const counted = startCounting(scene);
      for (let n = 0; n < crashes; n += 1) await crashOnce(scene, `request-${n}`);
      const attached = devicesOnMachines(scene);
      const owned = new Set(scene.world.resources.list().map(({ status }) => status?.cdi_device_id));
      const leaked = attached.filter((device) => !owned.has(device)).length;
      return new Figures(`the operator killed during an attach, ${crashes} times`)
        .add('devices attached and owned by nobody', leaked, 'count', exactly(0))
        .add('devices attached', attached.length, 'count', exactly(crashes))
        .add('attach calls', counted().attach, 'count', exactly(crashes)).all;
    });
  },
};

async function crashOnce(scene: Scene, request: string): Promise<void> {
  const { host, world } = scene;
  const asked = world.nextFabricCall('PATCH', 60_000);
  await create(scene, request, 1);
  await asked;
  await scene.operator().kill();
  host.say(`killed; the next one waits until the lease has run out`);
  await scene.start();
  await untilRunning(scene, [request]);
}

function devicesOnMachines({ world }: Scene): readonly string[] {
  return Object.values(world.fabric.snapshot().machines).flat();
}
