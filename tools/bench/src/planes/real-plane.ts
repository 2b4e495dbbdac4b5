import { join } from 'node:path';
import { STORY_AGENT, type Plane, type WorldOptions } from '@cro/demo';
import { startControlPlane, type Binaries, type Version } from '@cro/kube';
import { KubeClient } from '@cro/kube-runtime';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import { applyCrds } from './apply-crds.ts';
import { AuditCounter } from './audit-counter.ts';
import { storeWithStatus } from './store-with-status.ts';

/** The programs of a real control plane. */
export interface RealPrograms {
  readonly version: Version;
  readonly binaries: Binaries;
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
  return {
    transport,
    client,
    kubeconfigPath: control.kubeconfigPath,
    operatorCounts: () => counter.operatorCounts(),
    put: (object) => storeWithStatus(client, object),
    async close() {
      transport.close();
      await control.stop();
    },
  };
}
