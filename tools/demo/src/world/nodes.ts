import { createNodeSim, execScript, type NodeSim, type NodeSpec } from '@cro/node-sim';
import type { ServedFabric } from './fabric.ts';
import { chainAnnotations } from './machine-chain.ts';
import { nodeApi } from './node-api.ts';
import type { WorldOptions } from './options.ts';
import type { Plane } from './plane.ts';
import type { Trouble } from './trouble.ts';

/** Makes one node `worker-<n>` for each machine of the fabric. Nothing is registered yet. */
export function makeNodes(
  { clock, publishDelayMs = 0, equipment: { host, ...equipment } = {} }: WorldOptions,
  { transport, runCommands }: Plane,
  fabric: ServedFabric,
  trouble: Trouble,
  signal: AbortSignal,
): NodeSim {
  const nodes: readonly NodeSpec[] = fabric.machines.map(({ machUuid }, n) => ({
    name: `worker-${n}`,
    machUuid,
    ...(host && { host }),
    ...(fabric.byChain === undefined ? {} : { annotations: chainAnnotations(n) }),
  }));
  const sim = createNodeSim({
    clock,
    fabric: fabric.sim,
    api: nodeApi(transport, signal),
    nodes,
    publishDelayMs,
    ...equipment,
    report: ({ doing, message, final }) => {
      if (final) trouble.tell(`a simulated node cannot ${doing}: ${message}`);
    },
  });
  runCommands?.(execScript(sim));
  return sim;
}
