import type { Clock } from '@cro/clock';
import type { FailureKind } from '@cro/crd-types';
import type { KubeClient } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import { ageMs, isLeaving, nodePodKind, type NodePod } from './kinds/node-pod.ts';

/** What making pods new needs. */
export interface PodRenewalOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
}

/** A pod that is younger has just looked which devices there are, or is about to. */
const YOUNG_MS = 10_000;

const DONE: NodeOutcome = { tag: 'done' };

/** Deletes pods of a DaemonSet, so that it makes new ones, which look which devices their nodes have. */
export async function renewPods(pods: readonly NodePod[], options: PodRenewalOptions): Promise<NodeOutcome> {
  for (const pod of pods) {
    const outcome = await remove(pod, options);
    if (outcome.tag !== 'done') return outcome;
  }
  return DONE;
}

/** Whether a pod works, stays, and has not just come. */
export function isSettled(pod: NodePod, clock: Clock): boolean {
  return pod.ready && isGrown(pod, clock);
}

/** Whether a pod stays, and has not just come: it may as well be one that never gets ready. */
export function isGrown(pod: NodePod, clock: Clock): boolean {
  return !isLeaving(pod) && ageMs(pod, clock) >= YOUNG_MS;
}

async function remove({ metadata }: NodePod, { client }: PodRenewalOptions): Promise<NodeOutcome> {
  const { name, namespace = '', uid } = metadata;
  const outcome = await client.delete(nodePodKind, { name, namespace }, { uid });
  switch (outcome.tag) {
    case 'done':
    case 'notFound':
    case 'conflict':
      // A conflict means another uid: it has been replaced already.
      return DONE;
    case 'refused':
    case 'unknown': {
      const isForbidden = outcome.error.status === 403;
      const toDo = isForbidden ? `: grant delete of pods in namespace ${namespace} (deploy/rbac)` : '';
      const kind: FailureKind = isForbidden ? 'Blocked' : 'Unreachable';
      const message = `restarting pod ${namespace}/${name}, which publishes the node's GPUs, failed: ${outcome.error.message}${toDo}`;
      return { tag: 'failed', failure: { kind, message } };
    }
  }
}
