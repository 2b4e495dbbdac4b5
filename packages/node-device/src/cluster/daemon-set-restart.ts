import { cleanText } from '@cro/cdi-core';
import type { Failure, FailureKind } from '@cro/crd-types';
import type { ApiError } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import { DAEMON_SETS, DEVICE_PLUGIN, type DaemonCaches, type DaemonSetName } from './daemon-set-names.ts';
import { daemonSetKind, RESTARTED_AT, type DaemonSet } from './kinds/daemon-set.ts';
import { POD_NODE_INDEX, type NodePod } from './kinds/node-pod.ts';
import { isSettled, renewPods, type PodRenewalOptions } from './pod-renewal.ts';

/** What restarting them needs. */
export interface DaemonSetRestartOptions extends PodRenewalOptions {
  readonly daemons: DaemonCaches;
  /** Where they are. */
  readonly gpuOperatorNamespace: string;
}

/** What is to look again. */
export interface ToRestart {
  /** The nodes where devices came or left. */
  readonly nodes: readonly string[];
  /** The pods of the device plugin there that have not seen it. */
  readonly plugins: () => readonly NodePod[];
}

/** How looking at them, and restarting them, ended. `later`: nothing was done, as they are being restarted. */
export type DaemonSetsOutcome =
  NodeOutcome | { readonly tag: 'later'; readonly afterMs: number; readonly message: string };

type Failed = Extract<NodeOutcome, { readonly tag: 'failed' }>;
/** What is to be done with one: nothing, a restart on all its nodes, or new pods on some. */
type Looked =
  | { readonly tag: 'leave' | 'restart' | 'renew'; readonly name: DaemonSetName }
  | Extract<DaemonSetsOutcome, { readonly tag: 'later' | 'failed' }>;

/** Pods that are restarted so shortly after each other may not have looked in between. */
const APART_MS = 10_000;
const LOOK_AGAIN_MS = 5_000;
/** Of a time that is none, in a message. */
const LONGEST_TIME = 80;

const DONE: NodeOutcome = { tag: 'done' };

/**
 * Makes the pods of the device plugin and of DCGM on these nodes new, so that they look which GPUs there are. Neither is touched before both
 * can be: where one is missing, those who ask again would restart the other each time.
 */
export async function restartDaemonSets(what: ToRestart, options: DaemonSetRestartOptions): Promise<DaemonSetsOutcome> {
  const looks: Looked[] = [];
  for (const name of DAEMON_SETS) looks.push(await look(name, what.nodes, options));
  const hindered = looks.find((one) => one.tag === 'failed') ?? looks.find((one) => one.tag === 'later');
  if (hindered !== undefined) return hindered;
  for (const one of looks) {
    const outcome = await act(one, what, options);
    if (outcome.tag === 'failed') return outcome;
  }
  return DONE;
}

async function look(name: DaemonSetName, nodes: readonly string[], options: DaemonSetRestartOptions): Promise<Looked> {
  const { client, clock, gpuOperatorNamespace: namespace } = options;
  const read = await client.get(daemonSetKind, { name, namespace });
  switch (read.tag) {
    case 'found':
      return toDoWith(read.object, name, nodes, clock.now(), options);
    case 'notFound':
      return notFound(name, namespace);
    case 'failed':
      return refused(`reading DaemonSet ${namespace}/${name}`, read.error, namespace);
  }
}

function toDoWith(
  set: DaemonSet,
  name: DaemonSetName,
  nodes: readonly string[],
  now: number,
  { daemons }: DaemonSetRestartOptions,
): Looked {
  const { restartedAt, desired, ready, rollsOut, settled, metadata } = set;
  const pods = daemons[name];
  // Under labels of somebody's own its pods are not seen: then all that can be done is a restart.
  const isSeen = pods.list().length > 0;
  const runsThere = nodes.some((node) => pods.byIndex(POD_NODE_INDEX, node).length > 0);
  // Where it does not run there is nothing to restart, and its pods look when they come.
  if (desired === 0 || (isSeen && !runsThere)) return { tag: 'leave', name };
  const at = restartedAt === undefined ? -Infinity : Date.parse(restartedAt);
  if (Number.isNaN(at)) return noTime(set);
  const what = `DaemonSet ${metadata.namespace ?? ''}/${name}`;
  const ageMs = now - at;
  // A time far ahead is the fault of some clock, and no restart.
  if (Math.abs(ageMs) <= APART_MS) {
    return { tag: 'later', afterMs: APART_MS - ageMs + 1, message: `${what} was restarted a moment ago` };
  }
  if (settled) return { tag: 'restart', name };
  // A pod that is not ready, anywhere, would keep a restart from getting to the others.
  if (isSeen) return { tag: 'renew', name };
  if (!rollsOut) return { tag: 'restart', name };
  const message = `${what} is being restarted (${ready} of ${desired} pods are ready, or some are not up to date)`;
  return { tag: 'later', afterMs: LOOK_AGAIN_MS, message };
}

function act(looked: Looked, what: ToRestart, options: DaemonSetRestartOptions): NodeOutcome | Promise<NodeOutcome> {
  switch (looked.tag) {
    case 'restart':
      return restart(looked.name, options);
    case 'renew':
      return renewPods(looked.name === DEVICE_PLUGIN ? what.plugins() : settledOf(looked.name, what, options), options);
    case 'leave':
    case 'later':
    case 'failed':
      return DONE;
  }
}

function settledOf(name: DaemonSetName, { nodes }: ToRestart, { daemons, clock }: DaemonSetRestartOptions) {
  const pods = nodes.flatMap((node) => daemons[name].byIndex(POD_NODE_INDEX, node));
  return pods.filter((pod) => isSettled(pod, clock));
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

function noTime({ metadata: { namespace = '', name }, restartedAt }: DaemonSet): Failed {
  const found = `"${cleanText(restartedAt ?? '', LONGEST_TIME)}"`;
  const toDo = `restart it by hand once: kubectl -n ${namespace} rollout restart daemonset/${name}`;
  return failed(
    'Blocked',
    `DaemonSet ${namespace}/${name}: ${RESTARTED_AT} is ${found}; accepted is a time as in RFC 3339: ${toDo}`,
  );
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
