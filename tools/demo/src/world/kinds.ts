import type { Decoded, Kind, KubeObject } from '@cro/kube-runtime';

/** An object of which only what every object has is read. */
export interface PlainObject extends KubeObject {
  readonly spec?: unknown;
  readonly webhooks?: unknown;
}

/** Leases of leader elections. */
export const leaseKind = plainKind('coordination.k8s.io', 'v1', 'Lease', 'leases', true);
/** Who is asked before an object is stored. */
export const webhookConfigurationKind = plainKind(
  'admissionregistration.k8s.io',
  'v1',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  false,
);
/** Definitions of kinds. */
export const crdKind = plainKind(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  false,
);
/** Namespaces. */
export const namespaceKind = plainKind('', 'v1', 'Namespace', 'namespaces', false);
/** Secrets. */
export const secretKind = plainKind('', 'v1', 'Secret', 'secrets', true);

/** A kind of which only what every object has is read. */
export function plainKind(
  group: string,
  version: string,
  kind: string,
  plural: string,
  namespaced: boolean,
): Kind<PlainObject> {
  return { group, version, kind, plural, namespaced, decode: decodePlain };
}

/** The world's own API server is trusted to send objects; what is read of them is checked where it is read. */
function decodePlain(value: unknown): Decoded<PlainObject> {
  if (isPlainObject(value)) return { tag: 'ok', object: value };
  return { tag: 'malformed', message: 'expected an object with metadata.name' };
}

function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false;
  const { metadata } = value;
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata && typeof metadata.name === 'string';
}
