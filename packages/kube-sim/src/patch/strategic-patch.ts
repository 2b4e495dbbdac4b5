import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  NOTHING,
  sameJson,
  stringAt,
  valueAt,
} from '../base/json.ts';
import { patchOrder } from './patch-order.ts';

/**
 * The lists that are merged by a key instead of replaced, by the field's name: the `patchMergeKey` of the built-in
 * kinds (k8s.io/api). `''` merges a list of scalars as a set.
 */
const MERGE_KEYS: ReadonlyMap<string, string> = new Map([
  ['conditions', 'type'],
  ['containers', 'name'],
  ['initContainers', 'name'],
  ['ephemeralContainers', 'name'],
  ['env', 'name'],
  ['volumes', 'name'],
  ['volumeMounts', 'mountPath'],
  ['volumeDevices', 'devicePath'],
  ['imagePullSecrets', 'name'],
  ['ports', 'containerPort'],
  ['addresses', 'type'],
  ['hostAliases', 'ip'],
  ['ownerReferences', 'uid'],
  ['webhooks', 'name'],
  ['resourceClaims', 'name'],
  ['topologySpreadConstraints', 'topologyKey'],
  ['finalizers', ''],
]);

/** Applies a strategic merge patch, with its `$patch`, `$deleteFromPrimitiveList/` and `$retainKeys` directives. */
export function applyStrategicPatch(target: JsonValue | undefined, patch: JsonObject): JsonObject {
  const directive = stringAt(patch, '$patch');
  if (directive === 'delete') return NOTHING;
  if (directive === 'replace') return withoutDirectives(patch);
  const retained = patch['$retainKeys'];
  const old = isObject(target) ? target : NOTHING;
  const start = isList(retained) ? Object.entries(old).filter(([key]) => retained.includes(key)) : Object.entries(old);
  const result: Record<string, JsonValue> = Object.fromEntries(start);
  for (const [key, value] of Object.entries(patch)) {
    const primitive = /^\$deleteFromPrimitiveList\/(.+)$/u.exec(key)?.[1];
    if (primitive !== undefined) result[primitive] = removeAll(result[primitive], value);
    else if (key.startsWith('$')) continue;
    else if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = patchField(key, result[key], value);
  }
  return result;
}

function patchField(key: string, old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (isObject(value)) return applyStrategicPatch(old, value);
  const mergeKey = MERGE_KEYS.get(key);
  if (!isList(value) || mergeKey === undefined) return value;
  const list = isList(old) ? old : [];
  return mergeKey === '' ? mergeSet(list, value) : mergeByKey(list, value, mergeKey);
}

function mergeSet(old: readonly JsonValue[], added: readonly JsonValue[]): readonly JsonValue[] {
  const merged = [...old, ...added.filter((item) => !old.some((known) => sameJson(known, item)))];
  return patchOrder(merged, added, old, sameJson);
}

function mergeByKey(old: readonly JsonValue[], changes: readonly JsonValue[], key: string): readonly JsonValue[] {
  const replaced = changes.some((change) => stringAt(change, '$patch') === 'replace');
  const result: JsonValue[] = replaced ? [] : [...old];
  for (const change of changes) {
    if (!isObject(change) || stringAt(change, '$patch') === 'replace') continue;
    const index = result.findIndex((item) => isObject(item) && sameJson(item[key], change[key]));
    if (stringAt(change, '$patch') === 'delete') {
      if (index !== -1) result.splice(index, 1);
    } else if (index === -1) result.push(applyStrategicPatch(undefined, change));
    else result[index] = applyStrategicPatch(result[index], change);
  }
  const patched = changes.filter((change) => stringAt(change, '$patch') === undefined);
  return patchOrder(result, patched, old, (left, right) => sameJson(valueAt(left, key), valueAt(right, key)));
}

function removeAll(old: JsonValue | undefined, removed: JsonValue): JsonValue {
  if (!isList(old) || !isList(removed)) return [];
  return old.filter((item) => !removed.some((gone) => sameJson(gone, item)));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
