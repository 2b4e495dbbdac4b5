import type { ReadKind } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import {
  fieldIs,
  watchAccess,
  watchKind,
  type Access,
  type Cache,
  type KubeClient,
  type RuntimeMetrics,
  type Transport,
} from '@cro/kube-runtime';
import type { Log } from '@cro/cdi-core';
import { resourceSliceKind, type SliceDrivers } from '@cro/node-device';
import { requestIndexes, resourceIndexes } from '../indexes.ts';
import { secretKind, type MapObject } from '../kinds/map-kinds.ts';
import { nodeKind } from '../kinds/node-kind.ts';
import { requestKind, resourceKind } from '@cro/crd-types';
import { kindToRead, type ReadObject } from '../kinds/read-kind.ts';
import type { Caches } from './caches.ts';
import { seesSlices, slicesOf, watchForNodeActions, type NodeActionsConfig, type NodeWatches } from './node-actions.ts';

/** What watching needs. */
export interface WatchingOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: RuntimeMetrics;
  readonly namespace: string;
  /** Kinds that the provider declared. */
  readonly reads: readonly ReadKind[];
  /** Names of the Secrets that the provider reads. */
  readonly secrets: readonly string[];
  readonly nodeActions: NodeActionsConfig;
  /** The drivers whose ResourceSlices are looked at. */
  readonly sliceDrivers: SliceDrivers;
  readonly signal: AbortSignal;
}

/** Every watch of the operator. */
export interface Watched extends Caches {
  /** What is watched of the nodes' devices. */
  readonly nodeWatches: NodeWatches;
  /** By name of the Secret: each is watched alone, so that no other Secret need be readable. */
  readonly secrets: ReadonlyMap<string, Cache<MapObject>>;
  readonly declared: ReadonlyMap<string, Cache<ReadObject>>;
  /** Each watch by a name for people, with whether it has been read. */
  readonly all: readonly {
    readonly name: string;
    readonly cache: Pick<Cache<unknown>, 'synced' | 'missing' | 'problem' | 'whenSynced'>;
  }[];
}

/** What the kinds that a provider declared ask of the API server. */
function readingAccess(reads: readonly ReadKind[]): readonly Access[] {
  return reads.map((kind) =>
    watchAccess(kind, { without: "no node's machine is found on the fabric", need: 'required' }),
  );
}

/** What the watches ask of the API server. */
export function watchingAccess({
  namespace,
  reads,
  secrets,
  nodeActions,
}: Pick<WatchingOptions, 'namespace' | 'reads' | 'secrets' | 'nodeActions'>): readonly Access[] {
  const needed = (without: string) => ({ without, need: 'required' }) as const;
  return [
    watchAccess(requestKind, needed('no ComposabilityRequest is seen')),
    watchAccess(resourceKind, needed('no ComposableResource is seen')),
    watchAccess(nodeKind, needed('no node is known')),
    ...(seesSlices(nodeActions)
      ? [watchAccess(resourceSliceKind, needed('nobody sees whether a device has come to its node, or left it'))]
      : []),
    ...(secrets.length === 0
      ? []
      : [
          watchAccess(secretKind, {
            without: 'credentials that change are used a minute later, and only if the Secret may be read at all',
            need: 'optional',
            namespace,
            names: secrets,
          }),
        ]),
    ...readingAccess(reads),
  ];
}

/** Starts every watch. */
export function startWatching(options: WatchingOptions): Watched {
  const { reads, secrets: secretNames, namespace, nodeActions, sliceDrivers, ...common } = options;
  const requests = watchKind(requestKind, { ...common, indexes: requestIndexes });
  const resources = watchKind(resourceKind, { ...common, indexes: resourceIndexes });
  const nodes = watchKind(nodeKind, common);
  const nodeWatches = watchForNodeActions(nodeActions, namespace, sliceDrivers, common);
  const slices = slicesOf(nodeWatches);
  const secrets = new Map(
    secretNames.map((name) => [
      name,
      watchKind(secretKind, {
        ...common,
        namespace,
        fieldSelector: fieldIs('metadata.name', name),
        only: { name, namespace },
      }),
    ]),
  );
  const declared = new Map(reads.map((kind) => [declaredKey(kind), watchKind(kindToRead(kind), common)]));
  const all = [
    { name: 'composabilityrequests', cache: requests },
    { name: 'composableresources', cache: resources },
    { name: 'nodes', cache: nodes },
    ...(slices === undefined ? [] : [{ name: 'resourceslices', cache: slices }]),
    ...[...secrets].map(([name, cache]) => ({ name: `secret ${name}`, cache })),
    ...[...declared].map(([name, cache]) => ({ name, cache })),
  ];
  return { requests, resources, nodes, nodeWatches, secrets, declared, all };
}

/** What a declared kind is kept under. */
export function declaredKey(kind: ReadKind): string {
  return `${kind.plural}.${kind.group}`;
}
