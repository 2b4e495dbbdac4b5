import type { Version } from '../version.ts';
import type { ControllerName } from '../binaries/binary.ts';
import type { PlaneFiles } from './files.ts';

/** Where the servers listen, all on 127.0.0.1. */
export interface Ports {
  readonly etcd: number;
  readonly etcdPeers: number;
  readonly apiserver: number;
}

/** Arguments of etcd. */
export function etcdFlags(directory: string, files: PlaneFiles, ports: Ports): readonly string[] {
  const client = `https://127.0.0.1:${ports.etcd}`;
  const peer = `https://127.0.0.1:${ports.etcdPeers}`;
  return [
    `--data-dir=${directory}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    `--cert-file=${files.etcd.certificate}`,
    `--key-file=${files.etcd.key}`,
    `--trusted-ca-file=${files.ca}`,
    '--client-cert-auth',
    `--peer-cert-file=${files.etcd.certificate}`,
    `--peer-key-file=${files.etcd.key}`,
    `--peer-trusted-ca-file=${files.ca}`,
    '--peer-client-cert-auth',
    // Nothing here has to outlive a power failure.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** Whether an API server offers DeviceTaintRules: in a version that is not on by itself, or one that was switched off. */
export type TaintRules = 'served' | 'notServed';

/** Arguments of kube-apiserver: what a cluster with dynamic resource allocation runs with, and an audit log. */
export function apiserverFlags(
  version: Version,
  files: PlaneFiles,
  ports: Ports,
  taintRules: TaintRules = 'served',
): readonly string[] {
  const { serviceAccounts } = files;
  return [
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.apiserver}`,
    `--etcd-servers=https://127.0.0.1:${ports.etcd}`,
    `--etcd-cafile=${files.ca}`,
    `--etcd-certfile=${files.etcdClient.certificate}`,
    `--etcd-keyfile=${files.etcdClient.key}`,
    `--tls-cert-file=${files.apiserver.certificate}`,
    `--tls-private-key-file=${files.apiserver.key}`,
    `--client-ca-file=${files.ca}`,
    `--kubelet-certificate-authority=${files.ca}`,
    `--kubelet-client-certificate=${files.kubeletClient.certificate}`,
    `--kubelet-client-key=${files.kubeletClient.key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${serviceAccounts.publicKey}`,
    `--service-account-signing-key-file=${serviceAccounts.privateKey}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    // Without controllers nobody takes away the taint `not-ready` that this plugin puts on each new node.
    '--disable-admission-plugins=TaintNodesByCondition',
    // The address of a server on loopback is nobody's endpoint.
    '--endpoint-reconciler-type=none',
    featureGates(version),
    ...runtimeConfigOf(version, taintRules),
    `--audit-policy-file=${files.auditPolicy}`,
    `--audit-log-path=${files.auditLog}`,
  ];
}

/** Arguments of a controller: one of each runs, and serves nothing. */
export function controllerFlags(name: ControllerName, version: Version, files: PlaneFiles): readonly string[] {
  const common = [
    `--kubeconfig=${files.controllers[name]}`,
    '--leader-elect=false',
    '--secure-port=0',
    featureGates(version),
  ];
  switch (name) {
    case 'kube-scheduler':
      return common;
    case 'kube-controller-manager':
      return [
        ...common,
        // RBAC gives the roles that controllers need to ServiceAccounts, one each, and not to the program.
        '--use-service-account-credentials',
        // Simulated nodes send no heartbeats: it would taint them all, and evict their pods.
        '--controllers=*,-node-lifecycle-controller',
        `--service-account-private-key-file=${files.serviceAccounts.privateKey}`,
        `--root-ca-file=${files.ca}`,
      ];
  }
}

function featureGates({ minor }: Version): string {
  const gates = ['DynamicResourceAllocation', 'DRADeviceTaints', 'DRADeviceBindingConditions'];
  // Before 1.36 the rules come with the taints.
  if (minor >= 36) gates.push('DRADeviceTaintRules');
  return `--feature-gates=${gates.map((gate) => `${gate}=true`).join(',')}`;
}

/** DeviceTaintRule is served as v1alpha3 until it has a version that is on by default. */
function runtimeConfigOf({ minor }: Version, taintRules: TaintRules): readonly string[] {
  if (minor < 36) return taintRules === 'served' ? ['--runtime-config=resource.k8s.io/v1alpha3=true'] : [];
  return taintRules === 'served' ? [] : ['--runtime-config=resource.k8s.io/v1/devicetaintrules=false'];
}
