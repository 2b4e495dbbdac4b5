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
  const value = parse(text);
  if (Value.Check(schema, value)) return { tag: 'value', value };
  const [first] = Value.Errors(schema, value);
  const at = first === undefined || first.instancePath === '' ? '' : ` at ${first.instancePath}`;
  return { tag: 'failed', message: `the API server's answer${at} ${first?.message ?? 'does not match'}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
