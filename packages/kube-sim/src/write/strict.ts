import { badRequest, invalid } from '../base/failures.ts';
import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { prune } from '../schema/prune.ts';
import { pruneMetadata } from './object-meta.ts';

/** An object without the fields that its schema does not know, and what the client is to be told of them. */
export interface Pruned {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** Prunes, and refuses or warns as `fieldValidation` wants it: Strict, Warn (the default) or Ignore. */
export function pruneStrictly(call: Call, type: ResourceType, object: JsonObject, isPatch: boolean): Result<Pruned> {
  const unknown: string[] = [];
  const note = (path: string) => unknown.push(`unknown field "${path}"`);
  const ofMetadata: string[] = [];
  const metadata = pruneMetadata(object['metadata'], (path) => ofMetadata.push(`unknown field "${path}"`));
  // Built-in objects come with their metadata first.
  if (!type.custom) unknown.push(...ofMetadata);
  const pruned = type.schema === undefined ? object : prune(object, type.schema, note, '', true);
  if (type.custom) unknown.push(...ofMetadata);
  const result = { ...(isObject(pruned) ? pruned : object), metadata };
  const directive = call.query.get('fieldValidation') ?? 'Warn';
  if (unknown.length === 0 || directive === 'Ignore') return success({ object: result, warnings: [] });
  if (directive !== 'Strict') return success({ object: result, warnings: unknown });
  // The fields of a built-in kind are told as they come, those of a custom one in order.
  const text = `strict decoding error: ${(type.custom ? unknown.sort() : unknown).join(', ')}`;
  if (isPatch) {
    return invalid({ group: '', kind: '' }, '', [
      { tag: 'invalid', path: 'patch', value: JSON.stringify(object), detail: text },
    ]);
  }
  return badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${text}`);
}
