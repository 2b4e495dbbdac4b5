import type { Decoded, KubeObject } from '@cro/kube-runtime';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A decoder that checks a value against a schema once, then projects it to what is used. */
export function schemaDecoder<Schema extends TSchema, T extends KubeObject>(
  kind: string,
  schema: Schema,
  project: (value: Static<Schema>) => T,
): (value: unknown) => Decoded<T> {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return { tag: 'ok', object: project(value) };
    const [first] = validator.Errors(value);
    const where = first === undefined || first.instancePath === '' ? 'the object' : first.instancePath;
    return { tag: 'malformed', message: `${kind}: ${where} ${first?.message ?? 'does not fit'}` };
  };
}
