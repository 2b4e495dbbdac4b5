import { join } from 'node:path';
import { STORY_AGENT, type KubeletPorts, type NodeCommands, type Plane, type WorldOptions } from '@cro/demo';
import {
  startControlPlane,
  startFakeKubelet,
  type Binaries,
  type FakeKubelet,
  type KubeletBackend,
  type Version,
} from '@cro/kube';
import { KubeClient } from '@cro/kube-runtime';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import { kubeletScript } from '@cro/node-sim';
import { applyCrds } from './apply-crds.ts';
import { AuditCounter } from './audit-counter.ts';
import { storeWithStatus } from './store-with-status.ts';

/** The programs of a real control plane. */
export interface RealPrograms {
  readonly version: Version;
  readonly binaries: Binaries;
  /** Path of what answers exec for the nodes. */
  readonly fakeKubelet: string;
}

/** Starts etcd and an API server that know our kinds. */
export async function startRealPlane(
  programs: RealPrograms,
  { clock, random }: Pick<WorldOptions, 'clock' | 'random'>,
  directory: string,
): Promise<Plane> {
  const control = await startControlPlane({ ...programs, clock, directory: join(directory, 'plane') });
  const loaded = loadCluster({ clock, kubeconfig: control.kubeconfigPath });
  if (loaded.tag === 'invalid') throw new Error(loaded.message);
  const { transport } = loaded.cluster;
  const client = new KubeClient({ transport, clock, random, userAgent: STORY_AGENT });
  const counter = new AuditCounter(control.auditLogPath);
  await applyCrds({ client, transport, clock, random });
  let kubelet: FakeKubelet | undefined;
  return {
    transport,
    client,
    kubeconfigPath: control.kubeconfigPath,
    operatorCounts: () => counter.operatorCounts(),
    put: (object) => storeWithStatus(client, object),
    async reachNodes(names, commands) {
      const { fakeKubelet: path } = programs;
      kubelet = await startFakeKubelet({ path, plane: control, directory, clock, backend: backendOf(commands) });
      return portsOf(kubelet, names);
    },
    async close() {
      transport.close();
      await kubelet?.stop();
      await control.stop();
    },
  };
}

function backendOf(commands: NodeCommands): KubeletBackend {
  return {
    hasPod: (node, namespace, pod) => commands.nodeOf(namespace, pod) === node,
    run: kubeletScript(commands),
  };
}

async function portsOf(kubelet: FakeKubelet, names: readonly string[]): Promise<KubeletPorts> {
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await kubelet.listen(name));
  return (node) => ports.get(node);
}
