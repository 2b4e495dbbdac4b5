import { isObject, numberField, objectField, textField, type JsonObject } from '../json.ts';
import { accessTo, type Access } from '../access/access.ts';
import type { Kind, KubeObject } from '../kind.ts';

/** A `coordination.k8s.io/v1` Lease. `spec` is kept whole, so that replacing it drops no field that we do not know. */
export interface Lease extends KubeObject {
  readonly spec: JsonObject;
}

/** The kind Lease. */
export const leases: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  decode(value) {
    if (!isLease(value)) return { tag: 'malformed', message: 'metadata, spec: expected objects' };
    return { tag: 'ok', object: value.spec === undefined ? { ...value, spec: {} } : { ...value, spec: value.spec } };
  },
};

/** What `electLeader` asks of the API server. */
export function leaseAccess(namespace: string, name: string): readonly Access[] {
  const terms = { namespace, without: 'nobody is elected leader, so that nothing is done', need: 'required' } as const;
  return [accessTo(leases, ['get', 'update'], { ...terms, names: [name] }), accessTo(leases, ['create'], terms)];
}

function isLease(value: unknown): value is KubeObject & { readonly spec?: JsonObject } {
  if (!isObject(value) || !isObject(value.metadata)) return false;
  const { spec } = value;
  return textField(value.metadata, 'resourceVersion') !== undefined && (spec === undefined || isObject(spec));
}

/** Who holds a lease; `undefined` when nobody does. client-go writes an empty text when it lets go. */
export function holderOf(lease: Lease): string | undefined {
  const holder = textField(lease.spec, 'holderIdentity');
  return holder === '' ? undefined : holder;
}

/** How long a holder may be silent, in milliseconds, as the holder itself wrote it. */
export function durationOf(lease: Lease): number | undefined {
  const seconds = numberField(lease.spec, 'leaseDurationSeconds');
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The spec of a lease that `identity` takes or renews. The same fields as client-go's, so that a Go process agrees. */
export function heldSpec(previous: Lease | undefined, identity: string, durationMs: number, nowMs: number): JsonObject {
  const now = microTime(nowMs);
  const renews = previous !== undefined && holderOf(previous) === identity;
  const transitions = numberField(previous?.spec, 'leaseTransitions') ?? 0;
  return {
    ...previous?.spec,
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    renewTime: now,
    acquireTime: renews ? (textField(previous.spec, 'acquireTime') ?? now) : now,
    leaseTransitions: renews || previous === undefined ? transitions : transitions + 1,
  };
}

/** The spec of a lease that nobody holds any more, as client-go writes it. */
export function releasedSpec(previous: Lease, nowMs: number): JsonObject {
  const now = microTime(nowMs);
  return { ...previous.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
}

/** True when two states of a lease say the same about its holder: whoever watches must then count on. */
export function sameClaim(a: Lease, b: Lease): boolean {
  const fields = ['holderIdentity', 'renewTime', 'acquireTime', 'leaseTransitions', 'leaseDurationSeconds'] as const;
  return fields.every((field) => objectField(a, 'spec')[field] === objectField(b, 'spec')[field]);
}

/** meta/v1 `MicroTime`: RFC 3339 with six digits. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
