import { gotHttp } from '@cro/cdi-core';
import { systemClock } from '@cro/clock';
import { RuntimeMetrics, type Transport } from '@cro/kube-runtime';
import { loadCluster, type LoadedCluster, type Cluster } from '@cro/kube-runtime/kubeconfig';
import { createLog, secretRegistry, type CommonSettings, type Flags } from '../process/index.ts';

/** A process's environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a program is started with: everything that it would otherwise take from its surroundings. */
export interface Invocation {
  readonly version: string;
  /** The arguments behind the program's name. */
  readonly argv: readonly string[];
  readonly env: Env;
  /** Folder of the program: packages are looked for from there. */
  readonly folder: string;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new UUID v4. */
  readonly newId: () => string;
}

/** Finds the cluster that the flags or the environment name. */
export function findCluster({ kubeconfig }: Flags): LoadedCluster {
  return loadCluster({ clock: systemClock, ...(kubeconfig !== undefined && { kubeconfig }) });
}

/** The real world of a process: its clock, log, metrics, cluster and fabric. Nothing is sent or served yet. */
export function processWorld(settings: CommonSettings, cluster: Cluster, { env, random, newId }: Invocation) {
  const secrets = secretRegistry();
  return {
    clock: systemClock,
    random,
    newId,
    transport: cluster.transport,
    http: gotHttp({ env }),
    log: createLog({ level: settings.logLevel, clock: systemClock, secrets, stream: process.stderr }),
    metrics: new RuntimeMetrics(),
    secretSeen: (value: string) => {
      secrets.add(value);
    },
  };
}

/** The world of a program whose requests somebody else listens to as well. */
export type HeardWorld = Omit<ProcessWorld, 'transport'> & { readonly transport: Transport };

/** What both programs run in. */
export type ProcessWorld = ReturnType<typeof processWorld>;
