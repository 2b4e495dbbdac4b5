import jsonPatch, { type Operation } from 'fast-json-patch';
import { badRequest, unprocessable } from '../base/failures.ts';
import { goTypeError } from '../base/go-json.ts';
import { isList, isObject, type JsonObject, type JsonValue, stringAt, toJson } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';

/** Applies RFC 6902 operations. One that cannot be applied, a failed `test` among them, refuses the whole patch. */
export function applyJsonPatch(object: JsonObject, patch: JsonValue): Result<JsonObject> {
  if (patch === null) return success(object);
  if (!isList(patch)) return badRequest(`error decoding patch: ${goTypeError(patch, '[]handlers.jsonPatchOp')}`);
  const operations: Operation[] = [];
  for (const item of patch) {
    if (!isObject(item)) return badRequest(`error decoding patch: ${goTypeError(item, 'handlers.jsonPatchOp')}`);
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
    if (expectsNothing(document, operation)) continue;
    const lenient = operation.op === 'replace' ? replaceOrAdd(document, operation) : operation;
    document = jsonPatch.applyOperation<unknown>(document, lenient, true, true).newDocument;
  }
  return document;
}

/** The real server's library takes a missing member of an object for null. */
function expectsNothing(document: unknown, operation: Operation): boolean {
  if (operation.op !== 'test' || operation.value !== null) return false;
  const slash = operation.path.lastIndexOf('/');
  const parent: unknown = slash <= 0 ? document : jsonPatch.getValueByPointer(document, operation.path.slice(0, slash));
  return isObject(parent) && !Object.hasOwn(parent, jsonPatch.unescapePathComponent(operation.path.slice(slash + 1)));
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
