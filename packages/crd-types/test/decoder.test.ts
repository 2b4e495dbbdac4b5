import { Type, type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { decoderOf } from '../src/index.ts';

function complaint(schema: TSchema, value: unknown): string {
  const decoded = decoderOf(schema)(value);
  return decoded.tag === 'ok' ? 'accepted' : decoded.message;
}

test.each<[TSchema, unknown, string]>([
  [Type.Number({ minimum: 1, maximum: 2 }), 3, 'number >= 1, <= 2'],
  [Type.Number({ exclusiveMinimum: 1 }), 1, 'number > 1'],
  [Type.Number({ exclusiveMaximum: 1 }), 1, 'number < 1'],
  [Type.Integer({ multipleOf: 5 }), 1, 'integer a multiple of 5'],
  [Type.String({ maxLength: 1 }), 'ab', 'string with at most 1 characters'],
  [Type.String({ pattern: '^a$' }), 'b', 'string matching ^a$'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'array with at least 1 items'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'array with at most 1 items'],
  [Type.Boolean(), 1, 'boolean'],
  [Type.Literal(1), 2, '1'],
  [Type.Union([Type.Literal(1), Type.Literal(2)]), 3, '1, 2'],
  [Type.Union([Type.String(), Type.Null()]), 3, 'string, null'],
  [Type.Unsafe({ enum: ['a', true] }), 3, '"a", true'],
  [Type.Unsafe({ not: {} }), 3, 'any value'],
])('says in words what is accepted: case %#', (schema, value, words) => {
  expect(complaint(schema, value)).toBe(`the object: found ${JSON.stringify(value)}, accepted: ${words}`);
});

test('a required field that the schema says no more of', () => {
  expect(complaint(Type.Unsafe({ type: 'object', required: ['a'] }), {})).toBe('a: found nothing, accepted: any value');
});

test('a schema needs no type, and an extension of Kubernetes says nothing about a value', () => {
  expect(complaint(Type.Unsafe({ minLength: 2 }), 'ab')).toBe('accepted');
  expect(complaint(Type.Array(Type.String(), { 'x-kubernetes-list-type': 'set' }), ['a', 'a'])).toBe('accepted');
});

test('a keyword that nobody knows is a mistake in the schema', () => {
  expect(() => decoderOf(Type.String({ minLenght: 2 }))('a')).toThrow('unknown keyword: "minLenght"');
});

test('paths are written as people write them', () => {
  const schema = Type.Object({ 'a/b': Type.Array(Type.Record(Type.String(), Type.Object({ x: Type.String() }))) });
  expect(complaint(schema, { 'a/b': [{}, { '~': { x: 1 } }] })).toBe('["a/b"][1]["~"].x: found 1, accepted: string');
});

test('quotes values of up to 80 characters of JSON, and names larger ones by their kind', () => {
  const found = (value: unknown) =>
    complaint(Type.Null(), value).replace(/^the object: found (.*), accepted: null$/, '$1');
  expect(found('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
  expect(found('x'.repeat(79))).toBe('a string of 79 characters');
  expect(found(Array(50).fill(1))).toBe('an array of 50');
  expect(found({ a: 'x'.repeat(80) })).toBe('an object');
});
