import { Type, type TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { CrdError, defineCrd, toStructural } from '../src/crd.ts';

/** The error that generating a schema whose field `f` is `field` ends in. */
function refusal(field: TSchema): string {
  try {
    toStructural(Type.Object({ f: field }), 'spec');
  } catch (error) {
    if (error instanceof CrdError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

const text = Type.String();

describe('what a structural schema forbids is refused with its path', () => {
  test.each<[string, TSchema, string]>([
    ['union of types', Type.Union([text, Type.Integer()]), 'spec.f: a union may only be one of literals'],
    ['union of objects', Type.Union([Type.Object({ a: text }), Type.Object({ b: text })]), 'spec.f: a union may'],
    ['union with null', Type.Union([text, Type.Null()]), 'spec.f: a union may only be one of literals'],
    ['enum of mixed types', Type.Union([Type.Literal('a'), Type.Literal(1)]), 'spec.f: the values of an enum must'],
    ['intersection', Type.Intersect([Type.Object({ a: text }), Type.Object({ b: text })]), 'spec.f: allOf is not'],
    ['oneOf', Type.Unsafe({ type: 'string', oneOf: [{ minLength: 1 }] }), 'spec.f: oneOf is not allowed'],
    ['not', Type.Unsafe({ type: 'string', not: { enum: ['a'] } }), 'spec.f: not is not allowed'],
    ['reference', Type.Ref('Other'), 'spec.f: $ref is not allowed'],
    ['definitions', Type.Unsafe({ type: 'string', $defs: {} }), 'spec.f: $defs is not allowed'],
    ['no type', Type.Unknown(), 'spec.f: has no type'],
    ['any', Type.Any(), 'spec.f: has no type'],
    ['null', Type.Null(), 'spec.f: type: found "null", accepted: "object", "array", "string"'],
    ['bigint', Type.BigInt(), 'spec.f: type: found "bigint", accepted:'],
    ['tuple', Type.Tuple([text, text]), 'spec.f: '],
    ['tuple written by hand', Type.Unsafe({ type: 'array', items: [{ type: 'string' }] }), 'spec.f: a tuple is not'],
    ['array of anything', Type.Unsafe({ type: 'array' }), 'spec.f: an array must say what its items are'],
    ['array of the untyped', Type.Array(Type.Unknown()), 'spec.f[]: has no type'],
    ['uniqueItems', Type.Array(text, { uniqueItems: true }), 'spec.f: uniqueItems is not allowed'],
    ['map by pattern', Type.Record(Type.String({ pattern: '^x' }), text), 'spec.f: patternProperties is not allowed'],
    ['map of the untyped', Type.Record(text, Type.Unknown()), 'spec.f.*: has no type'],
    ['closed object', Type.Object({}, { additionalProperties: false }), 'spec.f: additionalProperties: false is not'],
    ['record and map', Type.Object({ a: text }, { additionalProperties: text }), 'spec.f: has both properties and'],
    ['requires the unknown', Type.Unsafe({ type: 'object', required: ['a'] }), 'spec.f: requires a, which is not one'],
    ['wrong default', Type.String({ minLength: 2, default: 'a' }), 'spec.f: the default does not match the schema'],
    ['wrong keyword value', Type.Unsafe({ type: 'string', minLength: -1 }), 'spec.f: minLength: found -1, accepted:'],
    ['unknown extension', Type.String({ 'x-kubernetes-foo': 1 }), 'spec.f: x-kubernetes-foo is not allowed'],
    ['two limits', Type.Number({ minimum: 0, exclusiveMinimum: 0 }), 'spec.f: has both minimum and exclusiveMinimum'],
    ['look-ahead', Type.String({ pattern: '^(?!a)' }), 'spec.f: the pattern ^(?!a) uses look-around'],
    ['back-reference', Type.String({ pattern: '(a)\\1' }), 'spec.f: the pattern (a)\\1 uses look-around'],
    [
      'list type on a string',
      Type.String({ 'x-kubernetes-list-type': 'set' }),
      'spec.f: x-kubernetes-list-type is for',
    ],
    [
      'map list without keys',
      Type.Array(text, { 'x-kubernetes-list-type': 'map' }),
      'spec.f: x-kubernetes-list-map-keys',
    ],
    [
      'set of objects',
      Type.Array(Type.Object({ a: text }), { 'x-kubernetes-list-type': 'set' }),
      'spec.f: the items of a set must be scalars',
    ],
    [
      'list key that is optional',
      Type.Array(Type.Object({ a: Type.Optional(text) }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      }),
      'spec.f: the list map key a must be required or have a default',
    ],
    [
      'list key that is not there',
      Type.Array(Type.Object({ a: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b'] }),
      'spec.f: the list map key b must be a scalar property',
    ],
    [
      'list key that is no scalar',
      Type.Array(Type.Object({ a: Type.Object({}) }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      }),
      'spec.f: the list map key a must be a scalar property',
    ],
    [
      'list keys of a list that is no map',
      Type.Array(Type.Object({ a: text }), { 'x-kubernetes-list-map-keys': ['a'] }),
      'spec.f: x-kubernetes-list-map-keys and x-kubernetes-list-type: map need each other',
    ],
    [
      'set of lists',
      Type.Array(Type.Array(text), { 'x-kubernetes-list-type': 'set' }),
      'spec.f: the items of a set must be scalars',
    ],
    [
      'int-or-string that is something else',
      Type.Union([Type.Boolean(), text], { 'x-kubernetes-int-or-string': true }),
      'spec.f: anyOf is not allowed',
    ],
    ['an enum of null', Type.Unsafe({ enum: [null] }), 'spec.f: the values of an enum must all be'],
    [
      'a schema that is none',
      Type.Unsafe({ type: 'array', items: true }),
      'spec.f[]: a schema must be an object, found true',
    ],
    [
      'properties that are none',
      Type.Unsafe({ type: 'object', properties: [] }),
      'spec.f: properties must be an object',
    ],
  ])('%s', (_name, field, message) => {
    expect(refusal(field)).toContain(message);
  });
});

describe('what the API server refuses beside the schema', () => {
  const right = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Cluster' } as const;
  const spec = Type.Object({ size: Type.Integer() });

  test.each([
    [{ group: 'example' }, 'group: found "example", accepted: a lower-case DNS name with a dot'],
    [{ version: 'V1' }, 'version: found "V1"'],
    [{ kind: 'widget' }, 'kind: found "widget", accepted: a name in CamelCase'],
    [{ plural: 'Widgets' }, 'plural: found "Widgets"'],
    [{ shortNames: ['W'] }, 'shortNames: found "W"'],
    [{ group: 'Example.com' }, 'group: found "Example.com"'],
    [{ status: Type.Array(Type.String()) }, 'status: must be an object, found array'],
    [{ spec: Type.String() }, 'spec: must be an object, found string'],
    [
      { printerColumns: [{ name: 'A', type: 'string', jsonPath: 'spec.size' }] },
      'printerColumns[0].jsonPath: must begin',
    ],
    [
      { printerColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.seize' }] },
      'printerColumns[0].jsonPath: leads to no field of the schema: .spec.seize',
    ],
  ] as const)('case %#', (wrong, message) => {
    expect(() => defineCrd({ ...right, spec, ...wrong })).toThrow(message);
  });
});
