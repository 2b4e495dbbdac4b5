import { isDeepStrictEqual } from 'node:util';
import { ComposabilityRequestSpec, decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { judge, type RuledRequest } from '../rules.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';

/** Enough of an object to see whether the rules apply to the write at all. On creation it has no resourceVersion yet. */
const Envelope = Type.Object({
  metadata: Type.Object({ name: Type.Optional(Type.String()), deletionTimestamp: Type.Optional(Type.String()) }),
  spec: Type.Optional(Type.Unknown()),
});
const parseEnvelope = decoderOf(Envelope);

const Candidate = Type.Object({
  metadata: Type.Object({ name: Type.Optional(Type.String()) }),
  spec: ComposabilityRequestSpec,
  status: Type.Optional(
    Type.Object({
      resources: Type.Optional(Type.Record(Type.String(), Type.Object({ node_name: Type.Optional(Type.String()) }))),
    }),
  ),
});
const parseCandidate = decoderOf(Candidate);

/**
 * Answers one question. Writes to an object that is being deleted, and updates that leave the spec alone (the removal of
 * a finalizer, labels), are always allowed: a rule must never hold up a deletion.
 */
export function review(request: AdmissionRequest, existing: () => readonly RuledRequest[]): AdmissionResponse {
  const { uid, operation, object, oldObject } = request;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return { uid, allowed: true };
  const envelope = parseEnvelope(object);
  if (envelope.tag === 'malformed') return refused(uid, `object: ${envelope.message}`);
  if (envelope.object.metadata.deletionTimestamp !== undefined) return { uid, allowed: true };
  if (operation === 'UPDATE' && keepsSpec(oldObject, envelope.object.spec)) return { uid, allowed: true };
  const candidate = parseCandidate(object);
  if (candidate.tag === 'malformed') return refused(uid, candidate.message);
  const verdict = judge(candidate.object, existing());
  switch (verdict.tag) {
    case 'allowed':
      return { uid, allowed: true };
    case 'denied':
      return { uid, allowed: false, status: { code: 403, reason: 'Forbidden', message: verdict.reason } };
    default:
      return verdict satisfies never;
  }
}

function keepsSpec(oldObject: unknown, spec: unknown): boolean {
  const old = parseEnvelope(oldObject);
  return old.tag === 'ok' && isDeepStrictEqual(old.object.spec, spec);
}

function refused(uid: string, message: string): AdmissionResponse {
  return { uid, allowed: false, status: { code: 422, reason: 'Invalid', message } };
}
