import type { ScalarResourceDetails } from '../composability-request.ts';
import type { ComposableResourceSpec } from '../composable-resource.ts';
import { FINALIZER, GROUP, MANAGED_BY_LABEL, VERSION } from '../names.ts';

/** Both ids of a device: what the node knows it by, and what the fabric knows it by. */
export interface Ids {
  readonly device_id: string;
  readonly cdi_device_id: string;
}

/** The status of a ComposableResource, as far as the Go operator knows it. */
export interface GoStatus extends Partial<Ids> {
  readonly state: string;
  readonly error?: string;
}

/** An object as the Go operator left it. */
export interface GoObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: object;
  readonly status?: object;
}

interface Extras {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const API_VERSION = `${GROUP}/${VERSION}`;

/** A ComposableResource of a request. Before it has a state the operator has not put its finalizer on it. */
export function goResource(
  name: string,
  owner: string | undefined,
  spec: ComposableResourceSpec,
  status: GoStatus | undefined,
  { labels = {}, annotations }: Extras = {},
): GoObject {
  return {
    apiVersion: API_VERSION,
    kind: 'ComposableResource',
    metadata: {
      name,
      labels: { ...(owner !== undefined && { [MANAGED_BY_LABEL]: owner }), ...labels },
      ...(annotations && { annotations }),
      ...(status && { finalizers: [FINALIZER] }),
    },
    spec,
    ...(status && { status }),
  };
}

/** A ComposabilityRequest with copies of what its resources say. */
export function goRequest(
  name: string,
  resource: ScalarResourceDetails,
  status:
    { readonly state: string; readonly error?: string; readonly scalarResource?: ScalarResourceDetails } | undefined,
  resources: Readonly<Record<string, GoStatus & { readonly node_name: string }>> = {},
): GoObject {
  return {
    apiVersion: API_VERSION,
    kind: 'ComposabilityRequest',
    metadata: { name, ...(status && { finalizers: [FINALIZER] }) },
    spec: { resource },
    ...(status && { status: { scalarResource: resource, resources, ...status } }),
  };
}

/** One request to the API server. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType: string;
  readonly body?: string;
}

/** The requests that bring an object, its status and its deletion into a cluster, as its operator's own writes did. */
export function writesOf({ status, ...object }: GoObject, deleted = false): readonly Write[] {
  const collection = `/apis/${API_VERSION}/${object.kind.toLowerCase()}s`;
  const path = `${collection}/${object.metadata.name}`;
  const contentType = 'application/json';
  return [
    { method: 'POST', path: collection, contentType, body: JSON.stringify(object) },
    ...(status === undefined
      ? []
      : [
          {
            method: 'PATCH',
            path: `${path}/status`,
            contentType: 'application/merge-patch+json',
            body: JSON.stringify({ status }),
          } as const,
        ]),
    ...(deleted ? [{ method: 'DELETE', path, contentType } as const] : []),
  ];
}
