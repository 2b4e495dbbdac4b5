import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@cro/clock';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import { CONTROLLER_BINARIES, type Binaries } from '../binaries/binary.ts';
import type { Version } from '../version.ts';
import { compact } from './etcd.ts';
import { KUBELET_CLIENT, writePlaneFiles } from './files.ts';
import { apiserverFlags, controllerFlags, etcdFlags, type TaintRules } from './flags.ts';
import { freePorts } from './free-ports.ts';
import type { Program } from './program.ts';
import { untilOk } from './ready.ts';
import { RunningPrograms } from './running.ts';

/** What a control plane is started from. */
export interface PlaneOptions {
  readonly version: Version;
  /** What is started: the controllers too if they are among them. */
  readonly binaries: Binaries;
  /** An empty folder for certificates, data and logs, or one that is not there yet. */
  readonly directory: string;
  readonly clock: Clock;
  /** What the API server offers at first. Default: `served`. */
  readonly taintRules?: TaintRules;
  /** The programs go on when this process ends. Default false. */
  readonly detached?: boolean;
}

/** Where etcd answers, and the files that a client of it needs. */
export interface EtcdAccess {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** A control plane that is ready. */
export interface ControlPlane {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** etcd, and the client that it knows. */
  readonly etcd: EtcdAccess;
  /** Of somebody who may do everything. */
  readonly kubeconfigPath: string;
  /** One JSON object a line (audit.k8s.io/v1 `Event`): each request when it is over, without bodies. */
  readonly auditLogPath: string;
  /** What a kubelet of this control plane serves with, and the common name of its one client, the API server. */
  readonly kubelet: {
    readonly ca: string;
    readonly certificate: string;
    readonly key: string;
    readonly client: string;
  };
  /** The controllers first, then the API server: the order in which they have to end. */
  programs(): readonly Program[];
  /** Rejects when one of them ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  /**
   * Kills the API server, as a crash would, and starts it again at the same address, as it was but for what is said otherwise.
   * Resolves when it is ready.
   */
  restartApiserver(change?: { readonly taintRules: TaintRules }): Promise<void>;
  /** Throws away the history of etcd, up to now, as the API server does by itself every five minutes. */
  compactEtcd(): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;

/** Is there only where the controllers work: they make it. */
const MADE_BY_CONTROLLERS = '/api/v1/namespaces/default/serviceaccounts/default';

/** Starts the programs on loopback. Rejects, and leaves nothing running, when they do not become ready. */
export async function startControlPlane(options: PlaneOptions): Promise<ControlPlane> {
  const { clock, directory, version, binaries, detached = false } = options;
  const [etcd = 0, etcdPeers = 0, apiserver = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${apiserver}`;
  const files = await writePlaneFiles(directory, url, clock.now());
  const ports = { etcd, etcdPeers, apiserver };
  const running = new RunningPrograms();
  const start = (name: keyof Binaries, args: readonly string[]) => {
    const path = binaries[name];
    const logPath = join(directory, `${name}.log`);
    return path === undefined ? undefined : running.start({ name, path, args, logPath, detached });
  };
  const ready = (path: string) => Promise.race([running.failed, untilServed(files.kubeconfig, path, clock)]);
  let { taintRules } = options;
  const startApiserver = async () => {
    await start('kube-apiserver', apiserverFlags(version, files, ports, taintRules));
    await ready('/readyz');
  };
  try {
    await start('etcd', etcdFlags(await dataFolder(directory), files, ports));
    await startApiserver();
    for (const name of CONTROLLER_BINARIES) await start(name, controllerFlags(name, version, files));
    if (binaries['kube-controller-manager'] !== undefined) await ready(MADE_BY_CONTROLLERS);
  } catch (error) {
    await running.stop(clock);
    throw error;
  }
  return {
    url,
    etcd: { url: `https://127.0.0.1:${etcd}`, ca: files.ca, ...files.etcdClient },
    kubeconfigPath: files.kubeconfig,
    auditLogPath: files.auditLog,
    kubelet: { ca: files.ca, ...files.kubelet, client: KUBELET_CLIENT },
    programs: () => running.list(),
    failed: running.failed,
    async restartApiserver(change) {
      if (change !== undefined) taintRules = change.taintRules;
      await running.kill('kube-apiserver');
      await startApiserver();
    },
    compactEtcd: () => compact({ port: etcd, ca: files.ca, client: files.etcdClient }),
    stop: () => running.stop(clock),
  };
}

async function dataFolder(directory: string): Promise<string> {
  const data = join(directory, 'etcd');
  await mkdir(data, { recursive: true, mode: 0o700 });
  return data;
}

/** Waits until the API server answers 200 to a GET of that path. */
async function untilServed(kubeconfig: string, path: string, clock: Clock): Promise<void> {
  const loaded = loadCluster({ clock, kubeconfig });
  if (loaded.tag === 'invalid') throw new Error(loaded.message);
  const { transport } = loaded.cluster;
  try {
    await untilOk(transport, clock, path, READY_WITHIN_MS);
  } finally {
    transport.close();
  }
}
