import type { HostSpec } from './model/host/host-spec.ts';

/** A node, and the machine of the fabric that it runs on. */
export interface NodeSpec {
  readonly name: string;
  /** The fabric's UUID of the machine. */
  readonly machUuid: string;
  /** `fsas-cdi://<machUuid>` unless given. */
  readonly providerId?: string;
  /** `machUuid` unless given. */
  readonly systemUuid?: string;
  /** Quantities, both capacity and allocatable. 8, 16Gi, 512Gi and 100 unless given. */
  readonly cpu?: string;
  readonly memory?: string;
  readonly ephemeralStorage?: string;
  readonly pods?: string;
  /** Where its kubelet listens for exec, at 127.0.0.1. None unless given. */
  readonly kubeletPort?: number;
  /** Its hardware and driver: with a driver on the host unless given. */
  readonly host?: HostSpec;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A node's providerID, as the FTI fabric writes it. */
export function providerIdOf(spec: NodeSpec): string {
  return spec.providerId ?? `fsas-cdi://${spec.machUuid}`;
}

/** The Node object that a kubelet would register, Ready. `now` is a time in milliseconds since 1970. */
export function nodeObject(spec: NodeSpec, now: number) {
  const resources = {
    cpu: spec.cpu ?? '8',
    memory: spec.memory ?? '16Gi',
    'ephemeral-storage': spec.ephemeralStorage ?? '512Gi',
    pods: spec.pods ?? '100',
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: spec.name,
      labels: { 'kubernetes.io/hostname': spec.name, 'kubernetes.io/os': 'linux', ...spec.labels },
      ...(spec.annotations === undefined ? {} : { annotations: spec.annotations }),
    },
    spec: { providerID: providerIdOf(spec) },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [readyCondition(true, now)],
      nodeInfo: nodeInfo(spec.systemUuid ?? spec.machUuid),
      ...(spec.kubeletPort !== undefined && kubeletAt(spec.kubeletPort)),
    },
  };
}

/** The condition by which a kubelet says that its node is fit for pods, or the control plane that it has gone silent. */
export function readyCondition(ready: boolean, now: number) {
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    type: 'Ready',
    status: ready ? 'True' : 'Unknown',
    reason: ready ? 'KubeletReady' : 'NodeStatusUnknown',
    message: ready ? 'kubelet is posting ready status' : 'Kubelet stopped posting node status.',
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  };
}

/** By this an API server finds the kubelet. */
function kubeletAt(port: number) {
  return {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
}

function nodeInfo(systemUUID: string) {
  return {
    systemUUID,
    machineID: systemUUID.replaceAll('-', ''),
    bootID: systemUUID,
    kernelVersion: '6.8.0',
    osImage: 'Simulated Linux',
    containerRuntimeVersion: 'containerd://2.0.0',
    kubeletVersion: 'v1.34.0',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}
