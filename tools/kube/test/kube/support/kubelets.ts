import { systemClock as clock } from '@cro/clock';
import { kubeletScript, type NodeSim } from '@cro/node-sim';
import { inject } from 'vitest';
import { startFakeKubelet } from '../../../src/index.ts';
import type { Plane } from './plane.ts';

/** Kubelets that a real API server calls, which answer for simulated nodes. */
export interface Kubelets {
  /** Where the kubelet of a node listens, at 127.0.0.1. */
  portOf(node: string): number | undefined;
  /** The nodes that answer from now on. */
  serve(nodes: NodeSim): void;
  /** Ends a node's kubelet. */
  end(node: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one for each node. Nodes need its port when they are registered, so they come after it. */
export async function startKubelets(plane: Plane, names: readonly string[]): Promise<Kubelets> {
  const late: { nodes?: NodeSim } = {};
  const kubelet = await startFakeKubelet({
    path: inject('fakeKubelet'),
    plane: plane.control,
    directory: plane.directory,
    clock,
    backend: {
      hasPod: (node, namespace, pod) => late.nodes?.nodeOf(namespace, pod) === node,
      run: (exec, streams, signal) => {
        if (late.nodes === undefined) throw new Error('the nodes have not started yet');
        return kubeletScript(late.nodes)(exec, streams, signal);
      },
    },
  });
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await kubelet.listen(name));
  return {
    portOf: (node) => ports.get(node),
    serve: (nodes) => {
      late.nodes = nodes;
    },
    end: (node) => kubelet.close(node),
    stop: () => kubelet.stop(),
  };
}
