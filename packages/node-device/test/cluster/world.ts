import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { CLUSTER_POLICY_CRD } from '@cro/node-sim';
import { draNodeCluster, NVIDIA_SLICES, watchDra, watchDrivers, type NodeNamespaces } from '../../src/index.ts';
import { simulatedCluster } from '../simulated-cluster.ts';

export const NODE = 'worker-0';
export const WAIT_MS = 2000;
export const NAMESPACES: NodeNamespaces = {
  namespace: 'composable-resource-operator-system',
  gpuOperatorNamespace: 'gpu-operator',
  draDriverNamespace: 'dra-driver-nvidia-gpu',
};

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The cluster's side of the nodes, over an API server in memory. */
export async function nodeWorld(
  objects: readonly object[] = [],
  options: { readonly policyCrd?: boolean; readonly answers?: readonly (readonly [string, Answer])[] } = {},
) {
  const cluster = simulatedCluster();
  const { kube, clock, signal } = cluster;
  if (options.policyCrd ?? true) kube.objects.put(CLUSTER_POLICY_CRD);
  for (const object of objects) kube.objects.put(object);
  const asked: string[] = [];
  /** Answers in place of the server, by the beginning of a request. */
  const answers = new Map<string, Answer>(options.answers);
  const transport = inProcessTransport((sent, abort) => {
    const what = `${sent.method} ${sent.path}`;
    if (sent.method !== 'GET') asked.push(what);
    const answer = [...answers].find(([start]) => what.startsWith(start))?.[1];
    return answer === undefined ? kube.handle(sent, abort) : Promise.resolve({ headers: {}, ...answer });
  });
  const random = () => 0.5;
  const client = new KubeClient({ transport, clock, random });
  const base = { client, transport, clock, random, signal };
  const slices = cluster.startWatch();
  const caches = { ...watchDrivers(base, NAMESPACES), ...watchDra(base, NAMESPACES), slices };
  const labelled = new Set<string>();
  const nodes = draNodeCluster({
    ...{ client, clock, ...NAMESPACES, ...caches },
    publishWaitMs: WAIT_MS,
    sliceDrivers: NVIDIA_SLICES,
    hasGpuLabel: (node) => labelled.has(node),
  });
  const synced = Promise.all(Object.values(caches).map((cache) => cache.whenSynced(signal)));
  await clock.advance(100);
  await synced;
  return { ...cluster, nodes, labelled, answers, written: () => asked.splice(0) };
}

/** A pod on a node as its DaemonSet makes it; Running and Ready unless said otherwise. */
export function pod(
  namespace: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  more: { readonly phase?: string; readonly ready?: string; readonly node?: string; readonly created?: string } = {},
) {
  const { phase = 'Running', ready = 'True', node = NODE, created = '2025-12-31T00:00:00Z' } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, creationTimestamp: created },
    spec: { nodeName: node, containers: [{ name: `${name}-ctr` }, { name: 'other' }] },
    status: { phase, conditions: [{ type: 'Ready', status: ready }] },
  };
}

/** A driver's pod. */
export function driverPod(more: Parameters<typeof pod>[3] = {}, name = 'nvidia-driver-daemonset-a') {
  return pod(NAMESPACES.gpuOperatorNamespace, name, { 'app.kubernetes.io/component': 'nvidia-driver' }, more);
}

/** An agent's pod. */
export function agentPod(more: Parameters<typeof pod>[3] = {}) {
  return pod(NAMESPACES.namespace, 'cro-node-agent-a', { app: 'cro-node-agent' }, more);
}

/** A pod of the DRA driver's kubelet plugin. */
export function pluginPod(more: Parameters<typeof pod>[3] = {}, name = 'dra-driver-nvidia-gpu-kubelet-plugin-a') {
  return pod(NAMESPACES.draDriverNamespace, name, { 'app.kubernetes.io/name': 'dra-driver-nvidia-gpu' }, more);
}

/** A ClusterPolicy. */
export function policy(driver: object) {
  return { apiVersion: 'nvidia.com/v1', kind: 'ClusterPolicy', metadata: { name: 'policy' }, spec: { driver } };
}
