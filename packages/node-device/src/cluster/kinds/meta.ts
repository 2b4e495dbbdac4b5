import { decoderOf } from '@cro/crd-types';
import type { Decoded, KubeObject } from '@cro/kube-runtime';
import { Type, type Static, type TSchema } from 'typebox';

/** The part of `metadata` that is read of every kind here. */
export const Meta = Type.Object({
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  uid: Type.String(),
  resourceVersion: Type.String(),
  creationTimestamp: Type.Optional(Type.String()),
  deletionTimestamp: Type.Optional(Type.String()),
});

/** `metadata` without what is not read. */
export function metaOf(meta: Static<typeof Meta>): KubeObject['metadata'] {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = meta;
  return {
    ...{ name, uid, resourceVersion },
    ...(namespace !== undefined && { namespace }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

/** A decoder that checks a value against a schema, then projects it to what is used. */
export function projecting<Schema extends TSchema, T extends KubeObject>(
  kind: string,
  schema: Schema,
  project: (value: Static<Schema>) => T,
): (value: unknown) => Decoded<T> {
  const decode = decoderOf(schema);
  return (value) => {
    const decoded = decode(value);
    return decoded.tag === 'ok'
      ? { tag: 'ok', object: project(decoded.object) }
      : { tag: 'malformed', message: `${kind}: ${decoded.message}` };
  };
}
