import type { MachineSpec } from '@cro/fabric-sim';
import type { KubeSim } from '@cro/kube-sim';

/** How a cluster of OpenShift knows which machine of the fabric a node is: along the annotations of two kinds. */
const NAMESPACE = 'openshift-machine-api';
const MACHINE = { group: 'machine.openshift.io', version: 'v1beta1', kind: 'Machine', plural: 'machines' };
const HOST = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };

/** The CRDs of both kinds. */
export const chainCrds: readonly object[] = [MACHINE, HOST].map(({ group, version, kind, plural }) => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [{ name: version, served: true, storage: true, schema }];
  const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions },
  };
});

/** The annotations of the nth node. */
export function chainAnnotations(n: number): Readonly<Record<string, string>> {
  return { 'machine.openshift.io/machine': `${NAMESPACE}/machine-${n}` };
}

/** One object of each kind for every machine. */
export function putChain(kube: KubeSim, machines: readonly MachineSpec[]): void {
  kube.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const [n, { machUuid }] of machines.entries()) {
    put(MACHINE, `machine-${n}`, { 'metal3.io/BareMetalHost': `${NAMESPACE}/host-${n}` });
    put(HOST, `host-${n}`, { 'cluster-manager.cdi.io/machine': machUuid });
  }

  function put({ group, version, kind }: typeof MACHINE, name: string, annotations: Record<string, string>): void {
    const metadata = { name, namespace: NAMESPACE, annotations };
    kube.objects.put({ apiVersion: `${group}/${version}`, kind, metadata });
  }
}
