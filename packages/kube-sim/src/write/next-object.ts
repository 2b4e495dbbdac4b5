import type { FieldError } from '../base/field-error.ts';
import { conflict, invalid, plainError } from '../base/failures.ts';
import { defined, type JsonObject, objectAt, sameJson, stringAt, stringsAt, without } from '../base/json.ts';
import { type Failure, type Result, success } from '../base/result.ts';
import type { NamedTarget } from '../api/target.ts';
import type { ResourceType } from '../resources/resource-type.ts';

/** Metadata that no client can change. */
const SERVER_FIELDS = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'generation',
  'resourceVersion',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generateName',
];

/**
 * What is stored when a client sends `candidate` for `old`: its status alone through `/status`, all but the status
 * through the main endpoint, and the server's own metadata as it was.
 */
export function nextObject(target: NamedTarget, old: JsonObject, candidate: JsonObject): Result<JsonObject> {
  const stale = staleness(target, old, candidate);
  if (stale !== undefined) return stale;
  if (target.subresource === 'status') {
    const { status } = candidate;
    return success(defined({ ...without(old, 'status'), status }));
  }
  const { type } = target;
  const content = type.statusSubresource ? defined({ ...candidate, status: old['status'] }) : candidate;
  const oldMetadata = objectAt(old, 'metadata');
  const kept = defined(Object.fromEntries(SERVER_FIELDS.map((field) => [field, oldMetadata[field]])));
  const metadata = { ...without(objectAt(candidate, 'metadata'), ...SERVER_FIELDS), ...kept };
  const marked = stringAt(candidate, 'metadata', 'deletionTimestamp');
  if (marked !== undefined && oldMetadata['deletionTimestamp'] === undefined) {
    const error = {
      tag: 'invalid',
      path: 'metadata.deletionTimestamp',
      value: marked,
      detail: 'field is immutable',
    } as const;
    return refusedMetadata(target, error);
  }
  const added = addedFinalizers(old, candidate);
  if (added.length > 0) {
    const list = added.map((name) => JSON.stringify(name)).join(', ');
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
    return refusedMetadata(target, { tag: 'forbidden', path: 'metadata.finalizers', detail });
  }
  return success(withGeneration(type, old, { ...content, metadata }));
}

/** The real server checks the metadata of a custom object twice, and tells it twice. */
export function refusedMetadata({ type, name }: NamedTarget, error: FieldError): Failure {
  return invalid(type, name, type.custom ? [error, error] : [error]);
}

function staleness(target: NamedTarget, old: JsonObject, candidate: JsonObject) {
  const { type, name, namespace } = target;
  const uid = stringAt(candidate, 'metadata', 'uid');
  const oldUid = stringAt(old, 'metadata', 'uid') ?? '';
  if (uid !== undefined && uid !== oldUid) {
    const key = ['/registry', type.group, type.plural, namespace, name].filter(
      (part) => part !== '' && part !== undefined,
    );
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${oldUid}`;
    const text = `StorageError: invalid object, Code: 4, Key: ${key.join('/')}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    return conflict(type, name, text);
  }
  const version = stringAt(candidate, 'metadata', 'resourceVersion');
  if (version !== undefined && !/^\d+$/u.test(version)) {
    return plainError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
  }
  if (version !== undefined && version !== '0')
    return version === stringAt(old, 'metadata', 'resourceVersion') ? undefined : conflict(type, name);
  if (type.allowsUnconditionalUpdate) return undefined;
  // The resource is named where the kind stands elsewhere.
  const detail = '0: must be specified for an update';
  const error = { tag: 'raw', path: 'metadata.resourceVersion', detail: `Invalid value: ${detail}` } as const;
  return invalid({ group: type.group, kind: type.plural }, name, [error]);
}

function addedFinalizers(old: JsonObject, candidate: JsonObject): readonly string[] {
  if (stringAt(old, 'metadata', 'deletionTimestamp') === undefined) return [];
  const before = stringsAt(old, 'metadata', 'finalizers');
  return stringsAt(candidate, 'metadata', 'finalizers').filter((name) => !before.includes(name));
}

/** A change outside of metadata, and of status where that has an endpoint of its own, is a new generation. */
export function withGeneration(type: ResourceType, old: JsonObject, next: JsonObject): JsonObject {
  if (!type.countsGenerations) return next;
  const aside = type.statusSubresource ? ['metadata', 'status'] : ['metadata'];
  if (sameJson(without(old, ...aside), without(next, ...aside))) return next;
  const metadata = objectAt(next, 'metadata');
  const generation = typeof metadata['generation'] === 'number' ? metadata['generation'] + 1 : 1;
  return { ...next, metadata: { ...metadata, generation } };
}
