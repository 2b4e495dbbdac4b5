import type { FailureKind } from '@cro/crd-types';
import type { Cache } from '@cro/kube-runtime';
import type { DriverLookup, DriverPlace } from '../node-cluster.ts';
import type { ClusterPolicy } from './kinds/cluster-policy.ts';
import { problemOf } from './unread.ts';
import { isLeaving, POD_NODE_INDEX, type NodePod } from './kinds/node-pod.ts';

/** Where drivers are looked for. */
export interface DriverSources {
  /** Pods of the GPU Operator's driver DaemonSet, watched with `nodePodIndexes`. */
  readonly drivers: Cache<NodePod>;
  /** Pods of the DaemonSet `cro-node-agent`, watched with `nodePodIndexes`. */
  readonly agents: Cache<NodePod>;
  readonly policies: Cache<ClusterPolicy>;
  /** Whether a label of the node says that it has GPUs. */
  readonly hasGpuLabel: (node: string) => boolean;
  /** Where both kinds of pod are, for messages. */
  readonly gpuOperatorNamespace: string;
  readonly namespace: string;
}

const DRIVER = 'nvidia-driver-daemonset pod';
const AGENT = 'cro-node-agent pod';

/** Finds where the driver of a node is reached: in its own container, else on the host through the agent. */
export function driverOf(node: string, sources: DriverSources): DriverLookup {
  const { policies, agents: allAgents, drivers: allDrivers } = sources;
  const unread =
    problemOf(allDrivers, `pods of namespace ${sources.gpuOperatorNamespace}`) ??
    problemOf(allAgents, `pods of namespace ${sources.namespace}`) ??
    (policies.missing ? undefined : problemOf(policies, 'ClusterPolicies'));
  if (unread !== undefined) return { tag: 'failed', failure: unread };
  const drivers = allDrivers.byIndex(POD_NODE_INDEX, node);
  if (drivers.length > 0) return placeIn(drivers, 'container', DRIVER, node);
  // A list of a kind that is gone since stays in the cache.
  const present = policies.missing ? [] : policies.list();
  if (present.some(({ driverEnabled }) => driverEnabled)) return withoutDriverPod(node, sources);
  const agents = allAgents.byIndex(POD_NODE_INDEX, node);
  if (agents.length > 0) return placeIn(agents, 'host', AGENT, node);
  return present.length > 0 ? withoutAgent(node, sources) : withoutPolicy(node, sources);
}

/** With drivers in containers, a node without a GPU has none: it comes after the first GPU. */
function withoutDriverPod(node: string, { hasGpuLabel, gpuOperatorNamespace }: DriverSources): DriverLookup {
  const message = `${DRIVER} is not found on node ${node}`;
  if (!hasGpuLabel(node)) return { tag: 'noDriver', message };
  return failed(
    'Busy',
    `${message}, which is labelled as having GPUs: look at the driver DaemonSet in namespace ${gpuOperatorNamespace}; if the GPU Operator runs in another one, set NVIDIA_GPU_OPERATOR_NAMESPACE`,
  );
}

function withoutAgent(node: string, { namespace }: DriverSources): DriverLookup {
  return failed(
    'Blocked',
    `The ClusterPolicy leaves the driver to the host, and a ${AGENT} is not found on node ${node}: apply deploy/node-agent, which puts one on every GPU node in namespace ${namespace}`,
  );
}

function withoutPolicy(node: string, { namespace }: DriverSources): DriverLookup {
  return failed(
    'Blocked',
    `ClusterPolicy CR was not found. Please install GPU Operator; where the driver is on the host without it, apply deploy/node-agent (no ${AGENT} is on node ${node} in namespace ${namespace})`,
  );
}

/** During an update an old pod stands beside the new one. */
function placeIn(pods: readonly NodePod[], driver: DriverPlace['driver'], what: string, node: string): DriverLookup {
  const staying = pods.filter((pod) => !isLeaving(pod));
  const pod = staying.find(({ phase, ready }) => phase === 'Running' && ready);
  if (pod === undefined) {
    const isRunning = staying.some(({ phase }) => phase === 'Running');
    return failed('Busy', `${what} is not ${isRunning ? 'ready' : 'running'} on node ${node}`);
  }
  const { namespace = '', name } = pod.metadata;
  return { tag: 'place', place: { driver, namespace, pod: name, container: pod.container } };
}

function failed(kind: FailureKind, message: string): DriverLookup {
  return { tag: 'failed', failure: { kind, message } };
}
