import type { Plane } from './plane.ts';

/** A node and the fabric's id of its machine. */
export interface Pairing {
  readonly node: string;
  readonly machine: string;
}

const NAMESPACE = 'composable-resource-operator-system';
const MERGE = 'application/merge-patch+json';

const KINDS = [
  { group: 'infrastructure.cluster.x-k8s.io', version: 'v1beta1', kind: 'Metal3Machine', plural: 'metal3machines' },
  { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' },
] as const;

/** Lays the chain that the cluster API leaves: Node -> Metal3Machine -> BareMetalHost -> the fabric's id of the machine. */
export async function layMetal3(plane: Plane, pairings: readonly Pairing[]): Promise<void> {
  for (const kind of KINDS) await defineKind(plane, kind);
  for (const { node, machine } of pairings) {
    const place = `${NAMESPACE}/${node}`;
    await put(plane, KINDS[0], node, { 'metal3.io/BareMetalHost': place });
    await put(plane, KINDS[1], node, { 'cluster-manager.cdi.io/machine': machine });
    const text = JSON.stringify({ metadata: { annotations: { 'machine.openshift.io/machine': place } } });
    await sent(plane, 'PATCH', `/api/v1/nodes/${node}`, { type: MERGE, text });
  }
}

type MetalKind = (typeof KINDS)[number];

async function defineKind(plane: Plane, { group, version, kind, plural }: MetalKind): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const text = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The group k8s.io is protected: this is how a definition says that it knows.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  });
  const type = 'application/json';
  await sent(plane, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { type, text });
  await plane.untilServed(`${plural}.${group}`);
}

async function put(
  plane: Plane,
  { group, version, kind, plural }: MetalKind,
  name: string,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  const text = JSON.stringify({ apiVersion: `${group}/${version}`, kind, metadata: { name, annotations } });
  const path = `/apis/${group}/${version}/namespaces/${NAMESPACE}/${plural}`;
  await sent(plane, 'POST', path, { type: 'application/json', text });
}

async function sent(plane: Plane, ...request: Parameters<Plane['send']>): Promise<void> {
  const { status, text } = await plane.send(...request);
  if (status >= 300) throw new Error(`${request[1]}: ${status} ${text}`);
}
