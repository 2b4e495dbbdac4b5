import { apiVersionOf } from '../resources/resource-type.ts';
import type { Call } from './call.ts';
import { type JsonObject, stringAt, without } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { representationOf } from './representation.ts';
import { type IncludeObject, partialMetadata, tableOf } from './table.ts';
import { inVersion, type Target } from './target.ts';

/** Puts objects in the form that the client asked for. */
export interface Encoder {
  one(object: JsonObject): JsonObject;
  many(objects: readonly JsonObject[], metadata: JsonObject): JsonObject;
  /** An object of a watch; only the first table of a stream describes its columns. */
  watched(object: JsonObject): JsonObject;
  /** True when objects are sent as they are stored, so that their text can be shared between watches. */
  readonly plain: boolean;
}

/** The encoder for a request, or 406. `now` is in milliseconds since 1970. */
export function encoderOf(call: Call, target: Target, now: () => number): Result<Encoder> {
  const form = representationOf(call);
  if (!form.ok) return form;
  switch (form.value) {
    case 'object':
      return success(plainEncoder(target));
    case 'metadata':
      return success(metadataEncoder());
    case 'table':
      return success(tableEncoder(target, now, includeObject(call)));
  }
}

function plainEncoder({ type }: Target): Encoder {
  const one = (object: JsonObject) => inVersion(object, type);
  // Go leaves what says the type out of the items of typed lists; lists of custom kinds are untyped, and always say `continue`.
  const item = type.custom ? one : (object: JsonObject) => without(object, 'apiVersion', 'kind');
  const many = (objects: readonly JsonObject[], metadata: JsonObject) => ({
    apiVersion: apiVersionOf(type),
    kind: type.listKind,
    metadata: type.custom ? { continue: '', ...metadata } : metadata,
    items: objects.map(item),
  });
  return { one, many, watched: one, plain: true };
}

function metadataEncoder(): Encoder {
  const many = (objects: readonly JsonObject[], metadata: JsonObject) => ({
    apiVersion: 'meta.k8s.io/v1',
    kind: 'PartialObjectMetadataList',
    metadata,
    items: objects.map(partialMetadata),
  });
  return { one: partialMetadata, many, watched: partialMetadata, plain: false };
}

function tableEncoder({ type }: Target, now: () => number, include: IncludeObject): Encoder {
  let header = true;
  const many = (objects: readonly JsonObject[], metadata: JsonObject, withHeader = true) => {
    const shown = objects.map((object) => inVersion(object, type));
    return tableOf(type, shown, { now: now(), include, metadata, header: withHeader });
  };
  const one = (object: JsonObject, withHeader = true) => {
    const resourceVersion = stringAt(object, 'metadata', 'resourceVersion') ?? '';
    return many([object], { resourceVersion }, withHeader);
  };
  const watched = (object: JsonObject) => {
    const table = one(object, header);
    header = false;
    return table;
  };
  return { one: (object) => one(object), many: (objects, metadata) => many(objects, metadata), watched, plain: false };
}

function includeObject(call: Call): IncludeObject {
  const value = call.query.get('includeObject');
  return value === 'None' || value === 'Object' ? value : 'Metadata';
}
