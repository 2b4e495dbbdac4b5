import type { World } from '@cro/demo';
import { DRA_PLUGIN } from '@cro/node-sim';
import type { Scene } from './scene.ts';

/** What was asked for from one moment to another. */
export interface Counts {
  /** Writes to the API server, events included; leases are counted apart. */
  readonly apiWrites: number;
  readonly apiReads: number;
  /** Commands in pods of nodes. */
  readonly execs: number;
  /** How often the pod that publishes a node's devices was replaced. */
  readonly pluginRestarts: number;
  readonly attach: number;
  readonly detach: number;
  /** Reads of the fabric, of any kind. */
  readonly fabricReads: number;
  readonly tokens: number;
}

/** Begins to count. The result answers what has been asked for since. */
export function startCounting(scene: Scene): () => Counts {
  const from = countsOf(scene);
  return () => {
    const to = countsOf(scene);
    return {
      apiWrites: to.apiWrites - from.apiWrites,
      apiReads: to.apiReads - from.apiReads,
      execs: to.execs - from.execs,
      pluginRestarts: to.pluginRestarts - from.pluginRestarts,
      attach: to.attach - from.attach,
      detach: to.detach - from.detach,
      fabricReads: to.fabricReads - from.fabricReads,
      tokens: to.tokens - from.tokens,
    };
  };
}

function countsOf({ world, nodesAnswer }: Scene): Counts {
  const { writes, reads, execs } = world.operatorCounts();
  const { attach, detach, get, list, inventory, token } = world.fabric.calls();
  return {
    apiWrites: writes,
    apiReads: reads,
    execs,
    pluginRestarts: nodesAnswer ? pluginRestarts(world) : 0,
    attach,
    detach,
    fabricReads: get + list + inventory,
    tokens: token,
  };
}

function pluginRestarts({ nodes, machines }: World): number {
  return [...machines.keys()].reduce((sum, node) => sum + nodes.restarts(DRA_PLUGIN.name, node), 0);
}
