import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { KubeClient } from '@cro/kube-runtime';
import type { Decided } from './decided.ts';
import type { NodeStates } from './cluster/node-states.ts';
import type { Fabric } from './fabric/fabric.ts';
import type { HealthBook } from './fabric/health-book.ts';
import type { Lanes } from './fabric/lanes.ts';
import type { StoredFields } from './report/stored-fields.ts';
import type { Caches } from './wiring/caches.ts';
import type { WithoutFence } from './wiring/device-fence.ts';
import type { NodeSides } from './wiring/node-sides.ts';
import type { DriftStore } from './syncer/drift-store.ts';

/** Records Kubernetes events; never fails. */
export interface Events {
  event(
    about: {
      readonly apiVersion: string;
      readonly kind: string;
      readonly metadata: { readonly name: string; readonly uid: string };
    },
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void;
}

/** Asks for another look at an object. `fresh`: something outside of its own facts changed, so that waiting ends now. */
export interface Wake {
  resource(name: string, fresh?: 'fresh'): void;
  request(name: string, fresh?: 'fresh'): void;
}

/** Everything that the reconcilers and the syncer work with: the passed-in world, wired. */
export interface Services {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new UUID v4. */
  readonly newId: () => string;
  readonly log: Log;
  readonly client: KubeClient;
  readonly caches: Caches;
  readonly nodes: NodeStates;
  readonly nodeSides: NodeSides;
  readonly withoutFence: WithoutFence;
  readonly fabric: Fabric;
  readonly lanes: Lanes;
  readonly health: HealthBook;
  readonly drift: DriftStore;
  /** Whether the cluster keeps what is written into the status of a ComposableResource. */
  readonly storedFields: StoredFields;
  readonly events: Events;
  readonly wake: Wake;
  /** Whether the lease is certainly still held; a fabric is called only then. */
  readonly leading: () => boolean;
  /** Whether this operator ends what is open and starts nothing new, so that another one can take over. */
  readonly draining: boolean;
  /** Told of every decision; for those who record traces. */
  readonly decided: ((step: Decided) => void) | undefined;
  /** Aborts when the operator stops. */
  readonly signal: AbortSignal;
}
