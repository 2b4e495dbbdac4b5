/** An entry of `metadata.ownerReferences`. */
export interface OwnerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The parts of `metadata` that a controller needs. Times are RFC 3339 text, as on the wire. */
export interface KubeMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerRef[];
}

/** What every object of the API has. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMeta;
}

/** The result of parsing at the edge. `message` names the field, what was found, and what is accepted. */
export type Decoded<T> =
  { readonly tag: 'ok'; readonly object: T } | { readonly tag: 'malformed'; readonly message: string };

/** A kind of object: where it is served and how it is parsed. */
export interface Kind<T extends KubeObject> {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The lower-case plural, as it stands in paths. */
  readonly plural: string;
  readonly namespaced: boolean;
  /**
   * Parses an object that the server sent (`metadata.managedFields` is already left out). The place to keep only the
   * fields that are used: what it returns is what a cache holds. The result is frozen.
   */
  readonly decode: (value: unknown) => Decoded<T>;
}

/** The name of one object. */
export interface ObjectRef {
  readonly name: string;
  readonly namespace?: string;
}

/** `v1`, or `group/version`. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** The key of an object in a queue or a map: `namespace/name`, or the name alone. Neither part can hold a slash. */
export function keyOf(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}

/** The inverse of `keyOf`. */
export function refOf(key: string): ObjectRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
