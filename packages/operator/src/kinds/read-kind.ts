import type { CachedObject, ReadKind } from '@cro/cdi-core';
import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type } from 'typebox';
import { schemaDecoder } from './schema-decoder.ts';

const AnyShape = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.Optional(Type.String()),
    uid: Type.String(),
    resourceVersion: Type.String(),
    annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  spec: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.Unknown()),
});

/** An object of a kind that a provider declared to read. */
export type ReadObject = KubeObject & CachedObject;

/** The kind that a provider declared, for a cache. */
export function kindToRead(kind: ReadKind): Kind<ReadObject> {
  return { ...kind, decode: schemaDecoder(kind.kind, AnyShape, (value) => value) };
}
