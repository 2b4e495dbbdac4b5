import jsonPatch, { type Operation } from 'fast-json-patch';
import { badRequest, unprocessable } from '../base/failures.ts';
import { isList, isObject, type JsonObject, type JsonValue, stringAt, toJson } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';

/** Applies RFC 6902 operations. One that cannot be applied, a failed `test` among them, refuses the whole patch. */
export function applyJsonPatch(object: JsonObject, patch: JsonValue): Result<JsonObject> {
  if (!isList(patch)) return badRequest('error decoding patch: a JSON patch is a list of operations');
  const operations: Operation[] = [];
  for (const item of patch) {
    const operation = toOperation(item);
    if (operation === undefined) return badRequest(`error decoding patch: ${JSON.stringify(item)} is no operation`);
    operations.push(operation);
  }
  try {
    const patched = toJson(jsonPatch.applyPatch<unknown>(object, operations, true, false).newDocument);
    return isObject(patched) ? success(patched) : unprocessable();
  } catch (error) {
    if (error instanceof jsonPatch.JsonPatchError || error instanceof TypeError) return unprocessable();
    throw error;
  }
}

function toOperation(item: JsonValue): Operation | undefined {
  const op = stringAt(item, 'op');
  const path = stringAt(item, 'path');
  const from = stringAt(item, 'from');
  if (!isObject(item) || path === undefined) return undefined;
  const value = item['value'] ?? null;
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { op, path, value };
    case 'remove':
      return { op, path };
    case 'move':
    case 'copy':
      return from === undefined ? undefined : { op, path, from };
    case undefined:
    default:
      return undefined;
  }
}
