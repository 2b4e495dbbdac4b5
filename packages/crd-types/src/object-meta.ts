import { Type, type Static } from 'typebox';

/** The parts of `metadata.ownerReferences[]` that are used here. */
export const OwnerReference = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  uid: Type.String(),
  controller: Type.Optional(Type.Boolean()),
  blockOwnerDeletion: Type.Optional(Type.Boolean()),
});
/** An owner reference. */
export type OwnerReference = Static<typeof OwnerReference>;

/** The parts of `metadata` that are used here, as the API server returns them. Other fields pass. */
export const ObjectMeta = Type.Object({
  name: Type.String(),
  uid: Type.String(),
  resourceVersion: Type.String(),
  generation: Type.Optional(Type.Integer()),
  creationTimestamp: Type.Optional(Type.String()),
  deletionTimestamp: Type.Optional(Type.String()),
  finalizers: Type.Optional(Type.Array(Type.String())),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  ownerReferences: Type.Optional(Type.Array(OwnerReference)),
});
/** Metadata of a cluster-scoped object. */
export type ObjectMeta = Static<typeof ObjectMeta>;
