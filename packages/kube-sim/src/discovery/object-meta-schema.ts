import type { JsonObject } from '../base/json.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const map = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

/** The schema of ObjectMeta, for `kubectl explain`. */
export const objectMetaSchema: JsonObject = {
  type: 'object',
  description: 'ObjectMeta is metadata that all persisted resources must have.',
  properties: {
    annotations: map('Unstructured key value map that tools may set to keep arbitrary metadata.'),
    creationTimestamp: { type: 'string', format: 'date-time', description: 'When the server created the object.' },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Seconds to end gracefully.' },
    deletionTimestamp: { type: 'string', format: 'date-time', description: 'When the object was asked to be deleted.' },
    finalizers: {
      type: 'array',
      items: { type: 'string' },
      description: 'Must be empty before the object is removed.',
    },
    generateName: text('A prefix, used to make a unique name when none is given.'),
    generation: {
      type: 'integer',
      format: 'int64',
      description: 'A number that grows with each change of the desired state.',
    },
    labels: map('Keys and values by which objects are organized and selected.'),
    name: text('Unique within a namespace. It cannot be changed.'),
    namespace: text('The space within which the name must be unique.'),
    ownerReferences: {
      type: 'array',
      items: { type: 'object' },
      description: 'The objects that this object depends on.',
    },
    resourceVersion: text('An opaque version of the object, for optimistic concurrency and watches.'),
    uid: text('Unique in time and space; the server sets it.'),
  },
};
