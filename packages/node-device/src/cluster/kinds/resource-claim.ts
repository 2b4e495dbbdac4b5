import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import type { DevicePlace } from '../../fence/device-place.ts';
import { Meta, metaOf, projecting } from './meta.ts';

const Result = Type.Object({
  driver: Type.String(),
  pool: Type.String(),
  device: Type.String(),
  adminAccess: Type.Optional(Type.Boolean()),
});
const Shape = Type.Object({
  metadata: Meta,
  status: Type.Optional(
    Type.Object({
      allocation: Type.Optional(
        Type.Object({
          devices: Type.Optional(Type.Object({ results: Type.Optional(Type.Array(Result)) })),
        }),
      ),
      reservedFor: Type.Optional(Type.Array(Type.Object({ resource: Type.String(), name: Type.String() }))),
    }),
  ),
});

/** The part of a ResourceClaim (resource.k8s.io/v1) that says which devices it got, and for whom. */
export interface ResourceClaim extends KubeObject {
  /**
   * What it was allocated. Admin access is left out: it is for monitors, which see a device beside its user, and who still has it open
   * is found out on the node.
   */
  readonly devices: readonly DevicePlace[];
  /** Names of those it is reserved for, pods nearly always. */
  readonly users: readonly string[];
}

function project({ metadata, status }: Static<typeof Shape>): ResourceClaim {
  const results = status?.allocation?.devices?.results ?? [];
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: metaOf(metadata),
    devices: results
      .filter(({ adminAccess }) => adminAccess !== true)
      .map(({ driver, pool, device }) => ({ driver, pool, device })),
    users: (status?.reservedFor ?? []).map(({ resource, name }) =>
      resource === 'pods' ? `pod ${name}` : `${resource} ${name}`,
    ),
  };
}

/** ResourceClaims. */
export const resourceClaimKind: Kind<ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  namespaced: true,
  decode: projecting('ResourceClaim', Shape, project),
};

/** Name of the index by place. */
export const CLAIM_PLACE_INDEX = 'place';

/** Key of a place. Drivers and devices hold no `/`, so that two places never share one. */
export function placeKey({ driver, pool, device }: DevicePlace): string {
  return `${driver}/${pool}/${device}`;
}

/** Name of the index by pool. */
export const CLAIM_POOL_INDEX = 'pool';

/** Key of a pool. */
export function poolKey({ driver, pool }: Pick<DevicePlace, 'driver' | 'pool'>): string {
  return `${driver}/${pool}`;
}

/** What to give as `indexes` to the watch of the claims. */
export const claimIndexes = {
  [CLAIM_PLACE_INDEX]: ({ devices }: ResourceClaim) => devices.map(placeKey),
  [CLAIM_POOL_INDEX]: ({ devices }: ResourceClaim) => [...new Set(devices.map(poolKey))],
};
