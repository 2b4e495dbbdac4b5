import type { ContainerView } from '../model/container-view.ts';

/** A pod that every node has, as a DaemonSet's: `<name>-<node>`. */
export interface PodTemplate {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of its containers. */
  readonly containers: readonly [string, ...string[]];
  /** What its containers have of their host. `nothing` unless given. */
  readonly view?: ContainerView;
}

/** The pod through which commands reach the host, where the driver is not in a container. */
export const NODE_AGENT: PodTemplate = {
  namespace: 'composable-resource-operator-system',
  name: 'cro-node-agent',
  labels: { app: 'cro-node-agent' },
  containers: ['cro-node-agent'],
  view: 'hostRoot',
};

/** The pod in which the GPU Operator runs NVIDIA's driver. */
export const DRIVER_POD: PodTemplate = {
  namespace: 'gpu-operator',
  name: 'nvidia-driver-daemonset',
  labels: { 'app.kubernetes.io/component': 'nvidia-driver' },
  containers: ['nvidia-driver-ctr'],
  view: 'driverRoot',
};

/** A pod's name on a node. */
export function podName(template: PodTemplate, node: string): string {
  return `${template.name}-${node}`;
}

/** A pod of a template. */
export interface NewPod {
  readonly name: string;
  readonly node: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The pod as it is created: bound to its node, so that no scheduler is needed. */
export function podObject(template: PodTemplate, { name, node, annotations }: NewPod) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: template.namespace, labels: template.labels, ...(annotations && { annotations }) },
    spec: {
      nodeName: node,
      automountServiceAccountToken: false,
      containers: template.containers.map((name) => ({ name, image: imageOf(name) })),
    },
  };
}

/** What a kubelet says of it: Running and Ready. `now` is a time in milliseconds since 1970. */
export function runningStatus(template: PodTemplate, now: number) {
  const time = secondsOf(now);
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: time });
  return {
    phase: 'Running',
    startTime: time,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(condition),
    containerStatuses: template.containers.map((name) => ({
      name,
      image: imageOf(name),
      imageID: '',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: time } },
    })),
  };
}

/** What it says of one that runs and is not ready. `now` is a time in milliseconds since 1970. */
export function unreadyStatus(now: number) {
  const condition = (type: string) => ({ type, status: 'False', lastTransitionTime: secondsOf(now) });
  return { conditions: ['ContainersReady', 'Ready'].map(condition) };
}

function secondsOf(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}

function imageOf(container: string): string {
  return `simulated.invalid/${container}`;
}
