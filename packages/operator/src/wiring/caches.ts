import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import type { Cache } from '@cro/kube-runtime';
import type { NodeObject } from '../kinds/node-kind.ts';

/** What is watched. */
export interface Caches {
  readonly requests: Cache<ComposabilityRequest>;
  /** Indexed by `request` and `device`: see `../indexes.ts`. */
  readonly resources: Cache<ComposableResource>;
  readonly nodes: Cache<NodeObject>;
}
