import fc from 'fast-check';
import { Type, type TSchema } from 'typebox';

/** Schemas that a CustomResourceDefinition can hold, up to `depth` levels deep. */
export function schemas(depth: number): fc.Arbitrary<TSchema> {
  const leaves = [
    fc.record({ minLength: fc.nat(3), maxLength: fc.integer({ min: 3, max: 6 }) }).map((limits) => Type.String(limits)),
    fc.record({ minimum: fc.integer({ min: -2, max: 2 }) }).map((limits) => Type.Integer(limits)),
    fc.constant(Type.Number({ maximum: 1.5 })),
    fc.constant(Type.Boolean()),
    fc
      .uniqueArray(fc.constantFrom('', 'a', 'b', 'True'), { minLength: 1 })
      .map((values) => Type.Union(values.map((value) => Type.Literal(value)))),
    fc.constant(Type.Record(Type.String(), Type.Unknown(), { 'x-kubernetes-preserve-unknown-fields': true })),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = schemas(depth - 1);
  return fc.oneof(
    ...leaves,
    inner.map((items) => Type.Array(items, { maxItems: 3 })),
    inner.map((values) => Type.Record(Type.String(), values)),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner).chain((properties) => {
      const names = Object.keys(properties);
      return fc.subarray(names).map((optional) =>
        Type.Object(
          Object.fromEntries(
            names.map((name) => {
              const schema = properties[name] ?? Type.Boolean();
              return [name, optional.includes(name) ? Type.Optional(schema) : schema];
            }),
          ),
        ),
      );
    }),
  );
}

/** Values, a good part of which match the schema. */
export function valuesFor(schema: unknown): fc.Arbitrary<unknown> {
  const right = rightValues(schema as Record<string, unknown>);
  return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

function rightValues(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map(rightValues));
  if ('const' in schema) return fc.constant(schema['const']);
  switch (schema['type']) {
    case 'string':
      return fc.string({ unit: 'grapheme-ascii', maxLength: 6 });
    case 'integer':
      return fc.integer({ min: -3, max: 3 });
    case 'number':
      return fc.double({ noNaN: true, min: -3, max: 3 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesFor(schema['items']), { maxLength: 4 });
    default:
      return objects(schema);
  }
}

function objects(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  const map = schema['patternProperties'] as Record<string, unknown> | undefined;
  if (map !== undefined) return fc.dictionary(fc.string({ maxLength: 3 }), valuesFor(Object.values(map)[0]));
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
  const fields = Object.fromEntries(properties.map(([name, field]) => [name, valuesFor(field)]));
  const required = (schema['required'] ?? []) as string[];
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record({ ...fields, surplus: fc.boolean() }, { requiredKeys: [] }) },
  );
}
