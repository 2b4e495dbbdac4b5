import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@cro/clock';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import type { Binaries } from '../binaries/binary.ts';
import type { Version } from '../version.ts';
import { writePlaneFiles, type PlaneFiles } from './files.ts';
import { apiserverFlags, etcdFlags, type Ports } from './flags.ts';
import { freePorts } from './free-ports.ts';
import { startProgram, type Program } from './program.ts';
import { untilReady } from './ready.ts';

/** What a control plane is started from. */
export interface PlaneOptions {
  readonly version: Version;
  readonly binaries: Binaries;
  /** An empty folder for certificates, data and logs, or one that is not there yet. */
  readonly directory: string;
  readonly clock: Clock;
  /** The programs go on when this process ends. Default false. */
  readonly detached?: boolean;
}

/** A control plane that is ready. */
export interface ControlPlane {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** Of somebody who may do everything. */
  readonly kubeconfigPath: string;
  /** One JSON object a line (audit.k8s.io/v1 `Event`): each request when it is over, without bodies. */
  readonly auditLogPath: string;
  /** The API server first: the order in which they have to end. */
  readonly programs: readonly Program[];
  /** Rejects when one of them ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 20_000;

/** Starts etcd and an API server on loopback. Rejects, and leaves nothing running, when they do not become ready. */
export async function startControlPlane(options: PlaneOptions): Promise<ControlPlane> {
  const { clock, directory } = options;
  const [etcd = 0, etcdPeers = 0, apiserver = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${apiserver}`;
  const files = await writePlaneFiles(directory, url, clock.now());
  const programs = await startPrograms(options, files, { etcd, etcdPeers, apiserver });
  const stop = async () => {
    for (const program of programs) await program.stop(clock, STOP_WITHIN_MS);
  };
  const failed = Promise.race(programs.map((program) => program.failed));
  failed.catch(() => undefined);
  try {
    await Promise.race([failed, ready(files.kubeconfig, clock)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, kubeconfigPath: files.kubeconfig, auditLogPath: files.auditLog, programs, failed, stop };
}

async function startPrograms(
  { version, binaries, directory, detached = false }: PlaneOptions,
  files: PlaneFiles,
  ports: Ports,
): Promise<readonly Program[]> {
  const data = join(directory, 'etcd');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const start = (name: keyof Binaries, args: readonly string[]) =>
    startProgram({ name, path: binaries[name], args, logPath: join(directory, `${name}.log`), detached });
  const etcd = await start('etcd', etcdFlags(data, files, ports));
  const apiserver = await start('kube-apiserver', apiserverFlags(version, files, ports));
  return [apiserver, etcd];
}

async function ready(kubeconfig: string, clock: Clock): Promise<void> {
  const loaded = loadCluster({ clock, kubeconfig });
  if (loaded.tag === 'invalid') throw new Error(loaded.message);
  const { transport } = loaded.cluster;
  try {
    await untilReady(transport, clock, READY_WITHIN_MS);
  } finally {
    transport.close();
  }
}
