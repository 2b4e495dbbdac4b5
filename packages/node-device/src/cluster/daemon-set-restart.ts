import type { Clock } from '@cro/clock';
import type { Failure, FailureKind } from '@cro/crd-types';
import type { ApiError, KubeClient } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import { daemonSetKind, RESTARTED_AT, type DaemonSet } from './kinds/daemon-set.ts';

/** What restarting them needs. */
export interface DaemonSetRestartOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Where they are. */
  readonly gpuOperatorNamespace: string;
}

/** How looking at them, and restarting them, ended. `later`: nothing was done, as they are being restarted. */
export type DaemonSetsOutcome =
  NodeOutcome | { readonly tag: 'later'; readonly afterMs: number; readonly message: string };

type Failed = Extract<NodeOutcome, { readonly tag: 'failed' }>;
type Looked =
  | { readonly tag: 'ready'; readonly name: string }
  | { readonly tag: 'nowhere' }
  | Extract<DaemonSetsOutcome, { readonly tag: 'later' | 'failed' }>;

/** What offers GPUs, and what counts them for monitors, as the GPU Operator names them. */
export const RESTARTED = ['nvidia-device-plugin-daemonset', 'nvidia-dcgm'] as const;
/** Pods that are restarted so shortly after each other may not have looked in between. */
const APART_MS = 10_000;
const LOOK_AGAIN_MS = 5_000;

const DONE: NodeOutcome = { tag: 'done' };

/**
 * Makes the pods of the device plugin and of DCGM new, so that they look which GPUs their nodes have. Neither is touched before both
 * can be: where one is missing, those who ask again would restart the other each time.
 */
export async function restartDaemonSets(options: DaemonSetRestartOptions): Promise<DaemonSetsOutcome> {
  const looks: Looked[] = [];
  for (const name of RESTARTED) looks.push(await look(name, options));
  const hindered = looks.find((one) => one.tag === 'failed') ?? looks.find((one) => one.tag === 'later');
  if (hindered !== undefined) return hindered;
  for (const one of looks) {
    const outcome = one.tag === 'ready' ? await restart(one.name, options) : DONE;
    if (outcome.tag === 'failed') return outcome;
  }
  return DONE;
}

async function look(name: string, options: DaemonSetRestartOptions): Promise<Looked> {
  const { client, clock, gpuOperatorNamespace: namespace } = options;
  const read = await client.get(daemonSetKind, { name, namespace });
  switch (read.tag) {
    case 'found':
      return standingOf(read.object, clock.now(), `DaemonSet ${namespace}/${name}`);
    case 'notFound':
      return notFound(name, namespace);
    case 'failed':
      return refused(`reading DaemonSet ${namespace}/${name}`, read.error, namespace);
  }
}

function standingOf({ metadata, restartedAt, desired, ready, settled }: DaemonSet, now: number, what: string): Looked {
  // It runs nowhere: there is nothing to restart, and its pods look when they come.
  if (desired === 0) return { tag: 'nowhere' };
  const at = restartedAt === undefined ? -Infinity : Date.parse(restartedAt);
  if (Number.isNaN(at)) {
    const found = JSON.stringify(restartedAt?.slice(0, 80));
    const toDo = `restart it by hand once: kubectl -n ${metadata.namespace ?? ''} rollout restart daemonset/${metadata.name}`;
    return failed('Blocked', `${what}: ${RESTARTED_AT} is ${found}; accepted is a time as in RFC 3339: ${toDo}`);
  }
  const ageMs = now - at;
  // A time far ahead is the fault of some clock, and no restart.
  if (Math.abs(ageMs) <= APART_MS) {
    return { tag: 'later', afterMs: APART_MS - ageMs + 1, message: `${what} was restarted a moment ago` };
  }
  if (!settled) {
    const message = `${what} is not ready on all its nodes (${ready} of ${desired}, or some not up to date)`;
    return { tag: 'later', afterMs: LOOK_AGAIN_MS, message };
  }
  return { tag: 'ready', name: metadata.name };
}

async function restart(name: string, options: DaemonSetRestartOptions): Promise<NodeOutcome> {
  const { client, clock, gpuOperatorNamespace: namespace } = options;
  const annotations = { [RESTARTED_AT]: new Date(clock.now()).toISOString() };
  const value = { spec: { template: { metadata: { annotations } } } };
  const outcome = await client.patch(daemonSetKind, { name, namespace }, { type: 'merge', value });
  if (outcome.tag === 'done') return DONE;
  if (!('error' in outcome)) return notFound(name, namespace);
  return refused(`restarting DaemonSet ${namespace}/${name}`, outcome.error, namespace);
}

function notFound(name: string, namespace: string): Failed {
  return failed(
    'Blocked',
    `daemonsets.apps "${name}" not found in namespace ${namespace}: have the GPU Operator install it; if that runs in another namespace, set NVIDIA_GPU_OPERATOR_NAMESPACE`,
  );
}

function refused(doing: string, { status, message }: ApiError, namespace: string): Failed {
  const isForbidden = status === 403;
  const toDo = isForbidden
    ? `: grant get and patch of daemonsets in namespace ${namespace} (deploy/rbac/nvidia/device-plugin)`
    : '';
  return failed(isForbidden ? 'Blocked' : 'Unreachable', `${doing} failed: ${message}${toDo}`);
}

function failed(kind: FailureKind, message: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { kind, message } };
}
