import jsonPatch, { type Operation } from 'fast-json-patch';
import { badRequest, unprocessable } from '../base/failures.ts';
import { isList, isObject, type JsonObject, type JsonValue, stringAt, toJson } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';

/** Applies RFC 6902 operations. One that cannot be applied, a failed `test` among them, refuses the whole patch. */
export function applyJsonPatch(object: JsonObject, patch: JsonValue): Result<JsonObject> {
  if (!isList(patch)) return badRequest('error decoding patch: a JSON patch is a list of operations');
  const operations: Operation[] = [];
  for (const item of patch) {
    if (!isObject(item)) return badRequest(`error decoding patch: ${JSON.stringify(item)} is no operation`);
    const operation = toOperation(item);
    if (operation === undefined) return unprocessable();
    operations.push(operation);
  }
  try {
    const patched = toJson(applyAll(object, operations));
    return isObject(patched) ? success(patched) : unprocessable();
  } catch (error) {
    if (error instanceof jsonPatch.JsonPatchError || error instanceof TypeError) return unprocessable();
    throw error;
  }
}

/** One after the other: whether a member is there to be replaced depends on what came before. */
function applyAll(object: JsonObject, operations: readonly Operation[]): unknown {
  let document: unknown = jsonPatch.deepClone(object);
  for (const operation of operations) {
    const lenient = operation.op === 'replace' ? replaceOrAdd(document, operation) : operation;
    document = jsonPatch.applyOperation<unknown>(document, lenient, true, true).newDocument;
  }
  return document;
}

/** The real server's library adds a member of an object that is to be replaced and is not there. */
function replaceOrAdd(document: unknown, operation: Operation & { readonly op: 'replace' }): Operation {
  const parent = operation.path.slice(0, operation.path.lastIndexOf('/'));
  const found: unknown = parent === '' ? document : jsonPatch.getValueByPointer(document, parent);
  return operation.path !== '' && isObject(found) ? { ...operation, op: 'add' } : operation;
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
