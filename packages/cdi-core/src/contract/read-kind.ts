/** A Kubernetes kind that a provider reads through the host's cache. */
export interface ReadKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}
