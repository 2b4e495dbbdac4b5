import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@cro/clock';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import type { Binaries } from '../binaries/binary.ts';
import type { Version } from '../version.ts';
import { writePlaneFiles } from './files.ts';
import { apiserverFlags, etcdFlags } from './flags.ts';
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
  programs(): readonly Program[];
  /** Rejects when one of them ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  /** Kills the API server, as a crash would, and starts it again at the same address. Resolves when it is ready. */
  restartApiserver(): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 20_000;

/** Starts etcd and an API server on loopback. Rejects, and leaves nothing running, when they do not become ready. */
export async function startControlPlane(options: PlaneOptions): Promise<ControlPlane> {
  const { clock, directory, version } = options;
  const [etcd = 0, etcdPeers = 0, apiserver = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${apiserver}`;
  const files = await writePlaneFiles(directory, url, clock.now());
  const ports = { etcd, etcdPeers, apiserver };
  const data = join(directory, 'etcd');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const running = new Map<keyof Binaries, Program>();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for it sees the error; nobody has to.
  failed.catch(() => undefined);
  const start = async (name: keyof Binaries, args: readonly string[]) => {
    const program = await startOne(options, name, args);
    running.set(name, program);
    program.failed.catch(fail);
  };
  const startApiserver = async () => {
    await start('kube-apiserver', apiserverFlags(version, files, ports));
    await Promise.race([failed, ready(files.kubeconfig, clock)]);
  };
  const programs = () => [running.get('kube-apiserver'), running.get('etcd')].filter((one) => one !== undefined);
  const stop = async () => {
    for (const program of programs()) await program.stop(clock, STOP_WITHIN_MS);
  };
  try {
    await start('etcd', etcdFlags(data, files, ports));
    await startApiserver();
  } catch (error) {
    await stop();
    throw error;
  }
  const restartApiserver = async () => {
    await running.get('kube-apiserver')?.kill();
    await startApiserver();
  };
  const { kubeconfig: kubeconfigPath, auditLog: auditLogPath } = files;
  return { url, kubeconfigPath, auditLogPath, programs, failed, restartApiserver, stop };
}

function startOne(
  { binaries, directory, detached = false }: PlaneOptions,
  name: keyof Binaries,
  args: readonly string[],
): Promise<Program> {
  return startProgram({ name, path: binaries[name], args, logPath: join(directory, `${name}.log`), detached });
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
