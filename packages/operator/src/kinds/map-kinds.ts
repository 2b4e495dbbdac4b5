import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type } from 'typebox';
import { schemaDecoder } from './schema-decoder.ts';

const Texts = Type.Record(Type.String(), Type.String());
const MapShape = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.Optional(Type.String()),
    uid: Type.String(),
    resourceVersion: Type.String(),
  }),
  data: Type.Optional(Texts),
});

/** A Secret or a ConfigMap: named texts. */
export interface MapObject extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

/** ConfigMaps. */
export const configMapKind: Kind<MapObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  decode: schemaDecoder('ConfigMap', MapShape, ({ metadata, data = {} }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(metadata),
    data,
  })),
};

/** Secrets, with their values in clear text. */
export const secretKind: Kind<MapObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  decode: schemaDecoder('Secret', MapShape, ({ metadata, data = {} }) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadataOf(metadata),
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
    ),
  })),
};

function metadataOf({
  name,
  namespace,
  uid,
  resourceVersion,
}: {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
}): KubeObject['metadata'] {
  return { name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) };
}
