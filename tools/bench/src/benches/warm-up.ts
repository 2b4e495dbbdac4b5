import { createAll, removeAll, untilGone, untilRunning } from '../scene/requests.ts';
import { inScene } from '../scene/scene.ts';
import type { Bench } from './bench.ts';

const NODES = 4;
const DEVICES_OF_A_NODE = 4;
const ROUNDS = 6;

/**
 * Is no benchmark: it has no figures. Fabric and nodes live in the process of the benchmarks, where code is slow when it runs for the
 * first time, as no hardware is. The operator gets no such help: each benchmark starts one of its own.
 */
export const warmUp: Bench = {
  name: 'warm-up',
  title: 'devices there and back on simulated nodes, which is not measured',
  run({ real: _, ...host }) {
    const rounds = host.quick ? 1 : ROUNDS;
    return inScene(host, 'warm-up', { nodes: NODES, devices: NODES * DEVICES_OF_A_NODE }, async (scene) => {
      await scene.start();
      for (let round = 0; round < rounds; round += 1) {
        const names = Array.from({ length: NODES }, (_, n) => `warm-up-${round}-${n}`);
        await createAll(scene, names, DEVICES_OF_A_NODE);
        await untilRunning(scene, names);
        await removeAll(scene, names);
        await untilGone(scene, names);
      }
      return [];
    });
  },
};
