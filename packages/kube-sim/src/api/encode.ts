import { apiVersionOf } from '../resources/resource-type.ts';
import { badRequest, plainError, wrongForm } from '../base/failures.ts';
import { type Call, flag } from './call.ts';
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
  const form = representationOf(call, target.type.custom);
  if (!form.ok) return form;
  switch (form.value) {
    case 'object':
      return success(plainEncoder(target));
    case 'metadata':
      return isList(call, target) ? wrongForm(listRefusal(target)) : success(metadataEncoder());
    case 'metadata-list':
      return isList(call, target) ? success(metadataEncoder()) : plainError('content is not a list');
    case 'table': {
      const include = includeObject(call);
      return include.ok ? success(tableEncoder(target, now, include.value)) : include;
    }
  }
}

function isList(call: Call, target: Target): boolean {
  return target.name === undefined && call.method !== 'POST' && !flag(call, 'watch');
}

function listRefusal({ type }: Target): string {
  const goType = type.custom
    ? '*unstructured.UnstructuredList'
    : `*${type.group.split('.')[0] || 'core'}.${type.listKind}`;
  return `you requested PartialObjectMetadata, but the requested object is a list (${goType})`;
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

function includeObject(call: Call): Result<IncludeObject> {
  const value = call.query.get('includeObject') ?? '';
  switch (value) {
    case '':
    case 'Metadata':
      return success('Metadata');
    case 'None':
    case 'Object':
      return success(value);
    default: {
      const why = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
      return badRequest(`Unable to convert to Table as requested: ${why}`);
    }
  }
}
