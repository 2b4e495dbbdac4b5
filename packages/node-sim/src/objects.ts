import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** What is read of a Node. */
export const NodeSchema = Type.Object({
  metadata: Type.Object({ uid: Type.String() }),
  spec: Type.Object({ providerID: Type.Optional(Type.String()) }),
});

/** What is read of a ResourceSlice. */
export const SliceSchema = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String() }),
  spec: Type.Object({ pool: Type.Object({ generation: Type.Integer() }) }),
});

/** An object that was read, or what is wrong with it. */
export type ReadOutcome<T> =
  { readonly tag: 'value'; readonly value: T } | { readonly tag: 'failed'; readonly message: string };

/** Reads an API server's object; the message names the field at fault. */
export function readObject<Schema extends TSchema>(schema: Schema, text: string): ReadOutcome<Static<Schema>> {
  const json = parse(text);
  if (json.tag === 'failed') return json;
  if (Value.Check(schema, json.value)) return { tag: 'value', value: json.value };
  const [first] = Value.Errors(schema, json.value);
  const at = first === undefined || first.instancePath === '' ? '' : ` at ${first.instancePath}`;
  return { tag: 'failed', message: `the API server's answer${at} ${first?.message ?? 'does not match'}` };
}

function parse(text: string): ReadOutcome<unknown> {
  try {
    return { tag: 'value', value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) {
      return { tag: 'failed', message: `the API server's answer is not JSON: ${error.message}` };
    }
    throw error;
  }
}
