import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parseJson } from './decode.ts';

/** A text read by a schema, or what is wrong with it and where. */
export type Read<T> =
  { readonly tag: 'value'; readonly value: T } | { readonly tag: 'failed'; readonly reason: string };

/** Reads JSON by a schema; the reason names the field at fault. */
export function readJson<Schema extends TSchema>(schema: Schema, text: string, what: string): Read<Static<Schema>> {
  const json = parseJson(text);
  if (json.tag === 'failed') return { tag: 'failed', reason: `${what} is not JSON: ${json.reason}` };
  if (Value.Check(schema, json.value)) return { tag: 'value', value: json.value };
  const [first] = Value.Errors(schema, json.value);
  const where = first === undefined || first.instancePath === '' ? what : `${what}${first.instancePath}`;
  return { tag: 'failed', reason: `${where} ${first?.message ?? 'does not match'}` };
}
