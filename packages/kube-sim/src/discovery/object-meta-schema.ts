import type { JsonObject } from '../base/json.ts';
import { OBJECT_META } from '../resources/open-api-schema.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const schemaRef = (name: string): JsonObject => ({ allOf: [{ $ref: `#/components/schemas/${META}.${name}` }] });

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
    managedFields: {
      type: 'array',
      items: schemaRef('ManagedFieldsEntry'),
      description: 'Who has set which fields.',
    },
    ownerReferences: {
      type: 'array',
      items: schemaRef('OwnerReference'),
      description: 'The objects that this object depends on.',
    },
    resourceVersion: text('An opaque version of the object, for optimistic concurrency and watches.'),
    selfLink: text('Not filled in any more.'),
    uid: text('Unique in time and space; the server sets it.'),
  },
};

/** The schemas that ObjectMeta is made of, by their names. */
export const metaSchemas: JsonObject = {
  [OBJECT_META]: objectMetaSchema,
  [`${META}.FieldsV1`]: { type: 'object', description: 'A set of fields, as a tree.' },
  [`${META}.ManagedFieldsEntry`]: {
    type: 'object',
    description: 'The fields that one manager has set.',
    properties: {
      apiVersion: text('The version in which the fields are named.'),
      fieldsType: text('The form of the set.'),
      fieldsV1: { ...schemaRef('FieldsV1'), description: 'The set.' },
      manager: text('Who has set them.'),
      operation: text('How: Apply or Update.'),
      subresource: text('Through which part of the object.'),
      time: { type: 'string', format: 'date-time', description: 'When.' },
    },
  },
  [`${META}.OwnerReference`]: {
    type: 'object',
    description: 'An object that this one depends on.',
    required: ['apiVersion', 'kind', 'name', 'uid'],
    properties: {
      apiVersion: text('Its version.'),
      blockOwnerDeletion: { type: 'boolean', description: 'Keeps the owner until this object is gone.' },
      controller: { type: 'boolean', description: 'True for the one that manages this object.' },
      kind: text('Its kind.'),
      name: text('Its name.'),
      uid: text('Its uid.'),
    },
  },
};
