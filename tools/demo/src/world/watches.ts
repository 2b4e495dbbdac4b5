import { type ComposabilityRequest, type ComposableResource, requestKind, resourceKind } from '@cro/crd-types';
import { watchKind, type Cache, type Kind, type KubeObject } from '@cro/kube-runtime';
import { leaseKind, webhookConfigurationKind, type PlainObject } from './kinds.ts';
import type { WorldOptions } from './options.ts';
import type { Plane } from './plane.ts';

/** What the world watches to see how far its operators are. */
export interface Watches {
  readonly requests: Cache<ComposabilityRequest>;
  readonly resources: Cache<ComposableResource>;
  readonly leases: Cache<PlainObject>;
  readonly webhooks: Cache<PlainObject>;
}

/** Starts the watches. Resolves when all of them have their first list. */
export async function startWatches(
  { clock, random }: WorldOptions,
  { client, transport }: Plane,
  signal: AbortSignal,
): Promise<Watches> {
  const watch = <T extends KubeObject>(kind: Kind<T>) => watchKind(kind, { client, transport, clock, random, signal });
  const watches = {
    requests: watch(requestKind),
    resources: watch(resourceKind),
    leases: watch(leaseKind),
    webhooks: watch(webhookConfigurationKind),
  };
  await Promise.all(Object.values(watches).map((cache) => cache.whenSynced(signal)));
  return watches;
}
