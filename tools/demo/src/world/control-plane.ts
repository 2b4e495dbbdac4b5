import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crds } from '@cro/crd-types/crd';
import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim, serve, type KubeSim } from '@cro/kube-sim';
import { execScript, type ExecScript } from '@cro/node-sim';
import { ApiCounter } from './api-counts.ts';
import { NODE_AGENT } from './node-api.ts';
import type { WorldOptions } from './options.ts';
import { STORY_AGENT, type Plane } from './plane.ts';

/** A simulated control plane that listens, and the world's own way into it. */
export interface ControlPlane extends Plane {
  readonly sim: KubeSim;
}

/** Starts an API server that knows our kinds. Its kubeconfig is written into `directory`. */
export async function startControlPlane(options: WorldOptions, directory: string): Promise<ControlPlane> {
  const { clock, random } = options;
  const nodes: { script?: ExecScript } = {};
  const sim = createKubeSim({
    ...{ clock, random, crds: Object.values(crds) },
    exec(request, io, signal) {
      if (nodes.script === undefined) throw new Error('no node of this world answers commands');
      return nodes.script(request, io, signal);
    },
  });
  const counter = new ApiCounter();
  sim.observe((seen) => {
    counter.see(seen);
  });
  const transport = inProcessTransport((request, signal) => sim.handle(request, signal));
  const client = new KubeClient({ transport, clock, random, userAgent: STORY_AGENT });
  const served = await serve(sim);
  const kubeconfigPath = join(directory, 'kubeconfig');
  await writeFile(kubeconfigPath, served.kubeconfig, { mode: 0o600 });
  return {
    sim,
    transport,
    client,
    kubeconfigPath,
    operatorCounts: () => counter.allBut(STORY_AGENT, NODE_AGENT),
    put: (object) => Promise.resolve(uidOf(sim.objects.put(object))),
    reachNodes(_, commands) {
      nodes.script = execScript(commands);
      return Promise.resolve(() => undefined);
    },
    close: () => served.close(),
  };
}

function uidOf({ metadata }: Readonly<Record<string, unknown>>): string {
  const uid: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'uid') : undefined;
  if (typeof uid !== 'string') throw new Error('a stored object has no metadata.uid');
  return uid;
}
