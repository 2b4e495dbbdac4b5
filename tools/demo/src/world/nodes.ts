import { createNodeSim, type NodeSim, type NodeSpec } from '@cro/node-sim';
import type { ServedFabric } from './fabric.ts';
import { chainAnnotations } from './machine-chain.ts';
import { nodeApi } from './node-api.ts';
import type { WorldOptions } from './options.ts';
import type { NodeCommands, Plane } from './plane.ts';
import type { Trouble } from './trouble.ts';

/** Makes one node `worker-<n>` for each machine of the fabric. Nothing is registered yet. */
export async function makeNodes(
  { clock, publishDelayMs = 0, equipment: { host, ...equipment } = {} }: WorldOptions,
  plane: Plane,
  fabric: ServedFabric,
  trouble: Trouble,
  signal: AbortSignal,
): Promise<NodeSim> {
  const names = fabric.machines.map((_, n) => `worker-${n}`);
  const late: { nodes?: NodeSim } = {};
  const portOf = await (equipment.pods === undefined ? noKubelets : plane.reachNodes(names, commandsOn(late)));
  const nodes: readonly NodeSpec[] = fabric.machines.map(({ machUuid }, n) => {
    const name = `worker-${n}`;
    const kubeletPort = portOf(name);
    return {
      name,
      machUuid,
      ...(host && { host }),
      ...(kubeletPort !== undefined && { kubeletPort }),
      ...(fabric.byChain === undefined ? {} : { annotations: chainAnnotations(n) }),
    };
  });
  const sim = createNodeSim({
    clock,
    fabric: fabric.sim,
    api: nodeApi(plane.transport, { clock, signal }),
    nodes,
    publishDelayMs,
    ...equipment,
    report: ({ doing, message, final }) => {
      if (final) trouble.tell(`a simulated node cannot ${doing}: ${message}`);
    },
  });
  late.nodes = sim;
  return sim;
}

/** Without a pod there is nothing that a command could run in. */
const noKubelets = () => undefined;

/** Commands on nodes that are made later. Before that there is no pod of theirs. */
function commandsOn(late: { readonly nodes?: NodeSim }): NodeCommands {
  return {
    exec: (command, signal) => late.nodes?.exec(command, signal) ?? Promise.resolve({ tag: 'noPod' }),
    nodeOf: (namespace, pod) => late.nodes?.nodeOf(namespace, pod),
  };
}
