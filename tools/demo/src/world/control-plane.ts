import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crds } from '@cro/crd-types/crd';
import { KubeClient, type Transport } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim, serve, type KubeSim } from '@cro/kube-sim';
import { ApiCounter } from './api-counts.ts';
import type { WorldOptions } from './options.ts';

/** User agent of those who tell stories in this world. */
export const STORY_AGENT = 'cro-story';

/** A control plane that listens, and the world's own way into it. */
export interface ControlPlane {
  readonly sim: KubeSim;
  readonly transport: Transport;
  readonly client: KubeClient;
  readonly counter: ApiCounter;
  /** For kubectl and the operator. */
  readonly kubeconfigPath: string;
  close(): Promise<void>;
}

/** Starts an API server that knows our kinds. Its kubeconfig is written into `directory`. */
export async function startControlPlane(options: WorldOptions, directory: string): Promise<ControlPlane> {
  const { clock, random } = options;
  const sim = createKubeSim({ clock, random, crds: Object.values(crds) });
  const counter = new ApiCounter();
  sim.observe((seen) => {
    counter.see(seen);
  });
  const transport = inProcessTransport((request, signal) => sim.handle(request, signal));
  const client = new KubeClient({ transport, clock, userAgent: STORY_AGENT });
  const served = await serve(sim);
  const kubeconfigPath = join(directory, 'kubeconfig');
  await writeFile(kubeconfigPath, served.kubeconfig, { mode: 0o600 });
  return { sim, transport, client, counter, kubeconfigPath, close: () => served.close() };
}
