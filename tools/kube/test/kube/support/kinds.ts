import type { Kind, KubeObject } from '@cro/kube-runtime';

/** An object of which all but what every object has is read where it is needed. */
export type PlainObject = KubeObject & Readonly<Record<string, unknown>>;

/** Definitions of kinds. */
export const crdKind = plainKind(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  false,
);
export const namespaceKind = plainKind('', 'Namespace', 'namespaces', false);
export const secretKind = plainKind('', 'Secret', 'secrets', true);
export const configMapKind = plainKind('', 'ConfigMap', 'configmaps', true);
export const nodeKind = plainKind('', 'Node', 'nodes', false);
export const podKind = plainKind('', 'Pod', 'pods', true);
export const daemonSetKind = plainKind('apps', 'DaemonSet', 'daemonsets', true);
export const serviceAccountKind = plainKind('', 'ServiceAccount', 'serviceaccounts', true);
export const eventKind = plainKind('', 'Event', 'events', true);
export const leaseKind = plainKind('coordination.k8s.io', 'Lease', 'leases', true);
export const sliceKind = plainKind('resource.k8s.io', 'ResourceSlice', 'resourceslices', false);
export const webhookKind = plainKind(
  'admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  false,
);

function plainKind(group: string, kind: string, plural: string, namespaced: boolean): Kind<PlainObject> {
  return {
    group,
    version: 'v1',
    kind,
    plural,
    namespaced,
    decode: (value) => ({ tag: 'ok', object: value as PlainObject }),
  };
}

/** A field deep in an object: `fieldAt(lease, 'spec', 'holderIdentity')`. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    value,
  );
}
