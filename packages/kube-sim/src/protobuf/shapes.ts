/** How one field of a message is written in JSON. */
export interface FieldShape {
  readonly name: string;
  readonly type: 'string' | 'bytes' | 'bool' | 'int' | Shape;
  /** A list holds each occurrence; a map's occurrences are messages of a key (1) and a value (2). */
  readonly repeated?: 'list' | 'map';
}

/** A message's fields by their numbers. */
export type Shape = ReadonlyMap<number, FieldShape>;

const text = (name: string): FieldShape => ({ name, type: 'string' });
const map = (name: string, type: 'string' | 'bytes'): FieldShape => ({ name, type, repeated: 'map' });

const ownerReference: Shape = new Map([
  [1, text('kind')],
  [3, text('name')],
  [4, text('uid')],
  [5, text('apiVersion')],
  [6, { name: 'controller', type: 'bool' }],
  [7, { name: 'blockOwnerDeletion', type: 'bool' }],
]);

const objectMeta: FieldShape = {
  name: 'metadata',
  type: new Map<number, FieldShape>([
    [1, text('name')],
    [2, text('generateName')],
    [3, text('namespace')],
    [5, text('uid')],
    [6, text('resourceVersion')],
    [11, map('labels', 'string')],
    [12, map('annotations', 'string')],
    [13, { name: 'ownerReferences', type: ownerReference, repeated: 'list' }],
    [14, { name: 'finalizers', type: 'string', repeated: 'list' }],
  ]),
};

/**
 * The kinds that `kubectl create` sends as protobuf, with the field numbers of k8s.io/api/core/v1/generated.proto and
 * k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto.
 */
export const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['Namespace', new Map([[1, objectMeta]])],
  ['ServiceAccount', new Map([[1, objectMeta]])],
  [
    'ConfigMap',
    new Map([
      [1, objectMeta],
      [2, map('data', 'string')],
      [3, map('binaryData', 'bytes')],
      [4, { name: 'immutable', type: 'bool' }],
    ]),
  ],
  [
    'Secret',
    new Map([
      [1, objectMeta],
      [2, map('data', 'bytes')],
      [3, text('type')],
      [4, map('stringData', 'string')],
      [5, { name: 'immutable', type: 'bool' }],
    ]),
  ],
]);
