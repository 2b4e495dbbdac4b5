import { decoderOf, GROUP } from '@cro/crd-types';
import { Type, type Static } from 'typebox';

/** The parts of an AdmissionReview (admission.k8s.io/v1) that are used; the objects in it are parsed when needed. */
const AdmissionReview = Type.Object({
  apiVersion: Type.Literal('admission.k8s.io/v1'),
  kind: Type.Literal('AdmissionReview'),
  request: Type.Object({
    uid: Type.String({ minLength: 1 }),
    kind: Type.Object({ group: Type.Literal(GROUP), kind: Type.Literal('ComposabilityRequest') }),
    operation: Type.Union([
      Type.Literal('CREATE'),
      Type.Literal('UPDATE'),
      Type.Literal('DELETE'),
      Type.Literal('CONNECT'),
    ]),
    object: Type.Optional(Type.Unknown()),
    oldObject: Type.Optional(Type.Unknown()),
  }),
});

/** The question of an API server: may this write be done? */
export type AdmissionRequest = Static<typeof AdmissionReview>['request'];

/** Parses the body of an admission call. */
export const parseAdmissionReview = decoderOf(AdmissionReview);

/** The answer to an API server. `status` is what the user reads. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly reason: string; readonly message: string };
}

/** An answer as it goes over the wire. */
export function admissionReview(response: AdmissionResponse): object {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}
