import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import {
  devicePluginNodeCluster,
  watchDevicePlugin,
  watchDrivers,
  type GpuSupply,
  type NodeOutcome,
  type WantedVisibility,
} from '../../src/index.ts';
import { simulatedCluster } from '../simulated-cluster.ts';
import { NAMESPACES, NODE, pod, WAIT_MS } from './world.ts';

export const PLUGIN = 'nvidia-device-plugin-daemonset';
export const DCGM = 'nvidia-dcgm';
/** A node beside the usual one. */
export const OTHER = 'worker-1';
export const SETS = '/apis/apps/v1/namespaces/gpu-operator/daemonsets';
/** The restart of both DaemonSets. */
export const BOTH = [`PATCH ${SETS}/${PLUGIN}`, `PATCH ${SETS}/${DCGM}`];
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
const KIND = 'daemonsets.apps';

/** A refusal in place of the server's answer. */
export const FORBIDDEN = {
  status: 403,
  headers: {},
  body: JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'daemonsets is forbidden', code: 403 }),
};

/** The cluster's side of the nodes with a device plugin, over an API server in memory. */
export async function pluginWorld(...objects: readonly object[]) {
  const cluster = simulatedCluster();
  const { kube, clock, signal } = cluster;
  for (const object of objects) kube.objects.put(object);
  const written: string[] = [];
  /** Begins of requests that are refused. */
  const refused = new Set<string>();
  const transport = inProcessTransport((sent, abort) => {
    const what = `${sent.method} ${sent.path}`;
    if (sent.method !== 'GET') written.push(what);
    return [...refused].some((start) => what.startsWith(start)) ? Promise.resolve(FORBIDDEN) : kube.handle(sent, abort);
  });
  const random = () => 0.5;
  const client = new KubeClient({ transport, clock, random });
  const supply: { -readonly [K in keyof GpuSupply]: GpuSupply[K] } = { allocatable: {}, leaving: 0, detaching: [] };
  const base = { client, transport, clock, random, signal };
  const watches = { ...watchDrivers(base, NAMESPACES), ...watchDevicePlugin(base, NAMESPACES) };
  const nodes = devicePluginNodeCluster({
    ...{ client, clock, ...NAMESPACES },
    ...watches,
    publishWaitMs: WAIT_MS,
    hasGpuLabel: () => false,
    supplyOf: () => supply,
  });
  const ended: Record<string, NodeOutcome> = {};
  const wait = (deviceId: string, node = NODE, abort = signal, wanted: WantedVisibility = 'visible') =>
    nodes.restartPublisher({ node, deviceId, resource: 'gpu-1' }, wanted, abort).then((outcome) => {
      ended[deviceId] = outcome;
    });
  await clock.advance(0);
  await Promise.all(Object.values(watches.daemons).map((cache) => cache.whenSynced(signal)));
  const restartedAt = (name: string): string | undefined => {
    const set = kube.objects.get(KIND, name, NAMESPACES.gpuOperatorNamespace) as unknown as ReturnType<
      typeof daemonSet
    >;
    return set.spec.template.metadata.annotations[RESTARTED_AT];
  };
  const usersOf = (resource = 'gpu-1') => nodes.usersOf({ node: NODE, deviceId: 'GPU-a', resource }, signal);
  return {
    ...{ ...cluster, nodes, supply, refused, ended, wait, restartedAt, usersOf },
    written: () => written.splice(0),
  };
}

/** A DaemonSet on two nodes, ready on both unless said otherwise. */
export function daemonSet(name: string, status: object = {}, restartedAt?: string) {
  const annotations: Record<string, string> = restartedAt === undefined ? {} : { [RESTARTED_AT]: restartedAt };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: NAMESPACES.gpuOperatorNamespace },
    spec: { template: { metadata: { annotations } } },
    status: {
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      updatedNumberScheduled: 2,
      numberReady: 2,
      ...status,
    },
  };
}

/** A pod of one of them, as the GPU Operator labels it; Ready, and old, unless said otherwise. */
export function daemonPod(set: string, node: string, name = 'old', more: Parameters<typeof pod>[3] = {}) {
  const made = pod(NAMESPACES.gpuOperatorNamespace, `${set}-${name}-${node}`, { app: set }, { node, ...more });
  // The simulated server draws the same number each time here, and would give all of them one uid.
  return { ...made, metadata: { ...made.metadata, uid: made.metadata.name } };
}

/** A pod of the node that requests what its containers do, and its init containers before them. */
export function gpuPod(name: string, containers: readonly object[], more: object = {}, phase = 'Running') {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'ml' },
    spec: { nodeName: NODE, containers, ...more },
    status: { phase },
  };
}

/** A container that requests so many of a resource. */
export function requesting(quantity: string, resource = 'nvidia.com/gpu', more: object = {}) {
  return { name: 'main', resources: { requests: { [resource]: quantity, cpu: '500m' } }, ...more };
}

/** The deletion of a pod of a DaemonSet. */
export function deletionOf(set: string, name: string): string {
  return `DELETE /api/v1/namespaces/gpu-operator/pods/${set}-${name}`;
}

/** Such a world in which both DaemonSets have a pod on two nodes. `status`: of the plugin's. */
export async function seenWorld(status: object) {
  const running = [PLUGIN, DCGM].flatMap((set) => [NODE, OTHER].map((node) => daemonPod(set, node)));
  const made = await pluginWorld(daemonSet(PLUGIN, status), daemonSet(DCGM), ...running);
  const { kube, clock } = made;
  const remove = (name: string) => kube.objects.delete('pods', name, 'gpu-operator');
  /** As the DaemonSet's controller does it: the old pod goes, a new one comes. */
  const renew = (node: string, name: string, before = 'old', ready = 'True') => {
    remove(`${PLUGIN}-${before}-${node}`);
    kube.objects.put(daemonPod(PLUGIN, node, name, { ready, created: new Date(clock.now()).toISOString() }));
  };
  const ready = (node: string, name: string) => {
    kube.objects.put(daemonPod(PLUGIN, node, name, { created: new Date(clock.now()).toISOString() }));
  };
  return { ...made, remove, renew, ready };
}
