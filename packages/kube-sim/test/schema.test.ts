import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { prune } from '../src/schema/prune.ts';
import { readSchema } from '../src/schema/read-schema.ts';
import { validate } from '../src/schema/validate.ts';
import { fieldErrorText } from '../src/base/field-error.ts';

const PREFIX = 'Widget.example.com "a" is invalid: ';
const NOT_ASKED =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** The text of one error; one that keeps rules from being asked is followed by a note that says so. */
function message(...errors: readonly string[]): string {
  const blocking = errors.some((error) => /Required value|Unsupported|Too |must be of type/u.test(error));
  const all = blocking ? [...errors, NOT_ASKED] : errors;
  return PREFIX + (all.length === 1 ? all.join('') : `[${all.join(', ')}]`);
}

describe('validation', () => {
  it.each<[object, string]>([
    [{ size: -1 }, 'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0'],
    [{ size: '1' }, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
    [{ size: 1.5 }, 'spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"'],
    [{ size: null }, 'spec.size: Required value'],
    [{}, 'spec.size: Required value'],
    [{ size: 1, colour: 'green' }, 'spec.colour: Unsupported value: "green": supported values: "red", "blue"'],
    [{ size: 1, code: 'ab' }, `spec.code: Invalid value: "ab": spec.code in body should match '^[A-Z]+$'`],
    [{ size: 1, code: 'A' }, 'spec.code: Invalid value: "A": spec.code in body should be at least 2 chars long'],
    [{ size: 1, code: 'ABCDEF' }, 'spec.code: Too long: may not be more than 5 bytes'],
    [
      { size: 1, parts: [1] },
      'spec.parts[0]: Invalid value: "integer": spec.parts[0] in body must be of type object: "integer", spec.parts[0]: Invalid value: 1: must be an object for an array of list-type map',
    ],
    [{ size: 1, code: 'a' }, 'spec.code: Invalid value: "a": spec.code in body should be at least 2 chars long'],
    [{ size: 1, parts: [{}] }, 'spec.parts[0].name: Required value'],
    [
      { size: 1, parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) },
      'spec.parts: Too many: 4: must have at most 3 items',
    ],
    [{ size: 1, parts: [{ name: 'x' }, { name: 'x' }] }, 'spec.parts[1]: Duplicate value: {"name":"x"}'],
    [
      { size: 1, labels: { x: 1 } },
      'spec.labels.x: Invalid value: "integer": spec.labels.x in body must be of type string: "integer"',
    ],
    [
      { size: 1, port: true },
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
    ],
    [{ size: 1, low: 2, high: 1 }, 'spec: Invalid value: "object": low must not be above high'],
    [
      { size: -1, colour: 'green' },
      'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0 & spec.colour: Unsupported value: "green": supported values: "red", "blue"',
    ],
  ])('of %j says %s', async (spec, text) => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, widget('a', spec));
    expect([answer.status, answer.body['reason'], answer.body['message']]).toEqual([
      422,
      'Invalid',
      message(...text.split(' & ')),
    ]);
  });

  it('gives each error as a cause', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, widget('a', { size: -1 }));
    expect(answer.body['details']).toEqual({
      name: 'a',
      group: 'example.com',
      kind: 'Widget',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: -1: spec.size in body should be greater than or equal to 0',
          field: 'spec.size',
        },
      ],
    });
  });

  it('asks transition rules with the old value', async () => {
    const { ask } = createBench();
    const merge = { 'content-type': 'application/merge-patch+json' };
    await ask('POST', WIDGETS, widget('a', { size: 1, fixed: 'x' }));
    expect((await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, merge)).status).toBe(200);
    const changed = await ask('PATCH', `${WIDGETS}/a`, { spec: { fixed: 'y' } }, merge);
    expect(changed.body['message']).toBe(`${PREFIX}spec.fixed: Invalid value: "string": fixed is immutable`);
  });

  it('does not hold against an update what it leaves as it was', async () => {
    const { ask, sim } = createBench();
    const merge = { 'content-type': 'application/merge-patch+json' };
    const parts = [{ name: 'p', weight: 'heavy' }, { name: 'q' }];
    sim.objects.put(widget('a', { size: -1, low: 2, high: 1, parts }));
    expect((await ask('PATCH', `${WIDGETS}/a/status`, { status: { state: 'On' } }, merge)).status).toBe(200);
    expect(
      (await ask('PATCH', `${WIDGETS}/a`, { spec: { colour: 'blue', parts: [...parts, { name: 'r' }] } }, merge)).body[
        'message'
      ],
    ).toBe(`${PREFIX}spec: Invalid value: "object": low must not be above high`);
    expect((await ask('PATCH', `${WIDGETS}/a`, { spec: { low: 0 } }, merge)).status).toBe(200);
    const worse = await ask('PATCH', `${WIDGETS}/a`, { spec: { size: -2 } }, merge);
    expect(worse.body['message']).toContain('spec.size: Invalid value: -2');
  });

  it('checks the status, too', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const answer = await ask('PUT', `${WIDGETS}/a/status`, { ...created, status: { conditions: [{ type: 'Ready' }] } });
    expect(answer.body['message']).toBe(message('status.conditions[0].status: Required value'));
  });
});

describe('a schema', () => {
  const errors = (schema: object, value: Parameters<typeof validate>[0]) =>
    validate(value, readSchema(JSON.parse(JSON.stringify(schema)) as Parameters<typeof readSchema>[0]), 'x').map(
      fieldErrorText,
    );

  it.each<[object, Parameters<typeof validate>[0], readonly string[]]>([
    [
      { type: 'number', maximum: 3, exclusiveMaximum: true },
      3,
      ['x: Invalid value: 3: x in body should be less than 3'],
    ],
    [
      { type: 'number', minimum: 3, exclusiveMinimum: true },
      3,
      ['x: Invalid value: 3: x in body should be greater than 3'],
    ],
    [{ type: 'number', maximum: 3 }, 4, ['x: Invalid value: 4: x in body should be less than or equal to 3']],
    [{ type: 'integer', multipleOf: 2 }, 3, ['x: Invalid value: 3: x in body should be a multiple of 2']],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, []],
    [
      { type: 'string', format: 'date-time' },
      'now',
      ['x: Invalid value: "now": x in body must be of type date-time: "now"'],
    ],
    [{ type: 'string', format: 'date-time' }, '2026-01-01T00:00:00Z', []],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'array', minItems: 1 }, [], ['x: Invalid value: 0: x in body should have at least 1 items']],
    [{ type: 'array', 'x-kubernetes-list-type': 'set' }, ['a', 'a'], ['x[1]: Duplicate value: "a"']],
    [{ type: 'object', minProperties: 1 }, {}, ['x: Invalid value: 0: x in body should have at least 1 properties']],
    [{ type: 'object', maxProperties: 0 }, { a: 1 }, ['x: Too many: 1: must have at most 0 items']],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      true,
      ['x: Invalid value: true: "x" must validate at least one schema (anyOf)'],
    ],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 5 }] },
      3,
      ['x: Invalid value: 3: "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [{ not: { minimum: 1 } }, 3, ['x: Invalid value: 3: "x" must not validate the schema (not)']],
    [
      { allOf: [{ maximum: 1 }, { minimum: 5 }] },
      3,
      [
        'x: Invalid value: 3: x in body should be less than or equal to 1',
        'x: Invalid value: 3: x in body should be greater than or equal to 5',
      ],
    ],
    [{ type: 'string', pattern: '^[\\w\\-]+$' }, 'a-b', []],
  ])('%j judges %j', (schema, value, texts) => {
    expect(errors(schema, value)).toEqual(texts);
  });
});

describe('a default', () => {
  it('takes the place of a field that is missing, or null where null is not allowed', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, widget('a', { size: 1, colour: null, parts: [{ name: 'p' }] }));
    expect(answer.body['spec']).toEqual({ size: 1, colour: 'red', parts: [{ name: 'p', weight: 1 }] });
  });
});

describe('metadata', () => {
  it.each<[object, string]>([
    [
      { labels: { a: 'x'.repeat(64) } },
      `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 characters`,
    ],
    [
      { labels: { a: 'x y' } },
      'metadata.labels: Invalid value: "x y": a valid label must be an empty string or consist of',
    ],
    [{ labels: { 'a b': 'x' } }, 'metadata.labels: Invalid value: "a b": name part must consist of'],
    [{ annotations: { 'a b': 'x' } }, 'metadata.annotations: Invalid value: "a b": name part must consist of'],
    [{ finalizers: ['a b'] }, 'metadata.finalizers: Invalid value: "a b": name part must consist of'],
    [
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n' }] },
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ])('%j is refused', async (metadata, text) => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, widget('a', { size: 1 }, metadata));
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(PREFIX + text);
  });
});

describe('an old value', () => {
  const item = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer', minimum: 0 } } };
  const old = [{ name: 'a', size: -1 }];
  const errors = (schema: object) => {
    const read = readSchema(JSON.parse(JSON.stringify(schema)) as Parameters<typeof readSchema>[0]);
    return validate([...old, { name: 'b', size: 1 }], read, 'x', old).map(fieldErrorText);
  };

  it('excuses an item of a list of type map, which has a name, and of no other list', () => {
    const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    expect(errors({ type: 'array', items: item, ...map })).toEqual([]);
    expect(errors({ type: 'array', items: item })).toEqual([
      'x[0].size: Invalid value: -1: x[0].size in body should be greater than or equal to 0',
    ]);
  });
});

describe('an embedded resource', () => {
  it('keeps its apiVersion, kind and metadata', () => {
    const embedded = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    };
    const schema = readSchema({ type: 'object', properties: { one: embedded, plain: { type: 'object' } } });
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} };
    const unknown: string[] = [];
    const pruned = prune({ one: { ...object, odd: 1 }, plain: object }, schema, (path) => unknown.push(path));
    expect(pruned).toEqual({ one: object, plain: {} });
    expect(unknown).toEqual(['one.odd', 'plain.apiVersion', 'plain.kind', 'plain.metadata', 'plain.spec']);
  });
});

describe('unknown fields', () => {
  const withUnknown = {
    ...widget('a', { size: 1, bogus: 1, free: { any: 'thing' }, parts: [{ name: 'p', odd: 1 }] }),
    top: 1,
  };

  it('are dropped with a warning, save where they are kept', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, withUnknown);
    expect(answer.body).toMatchObject({ spec: { free: { any: 'thing' }, parts: [{ name: 'p', weight: 1 }] } });
    expect(answer.text).not.toMatch(/bogus|odd|top/u);
    expect(answer.headers['warning']).toBe(
      '299 - "unknown field \\"spec.bogus\\"", 299 - "unknown field \\"spec.parts[0].odd\\"", 299 - "unknown field \\"top\\""',
    );
  });

  it('are dropped in silence with fieldValidation=Ignore', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', `${WIDGETS}?fieldValidation=Ignore`, withUnknown);
    expect([answer.status, answer.headers['warning']]).toEqual([201, undefined]);
  });

  it('are refused with fieldValidation=Strict', async () => {
    const { ask } = createBench();
    const created = await ask('POST', `${WIDGETS}?fieldValidation=Strict`, {
      ...widget('a', { size: 1, bogus: 1 }),
      metadata: { name: 'a', extra: 1 },
    });
    expect([created.status, created.body['message']]).toEqual([
      400,
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.extra", unknown field "spec.bogus"',
    ]);
    await ask('POST', WIDGETS, widget('a'));
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await ask('PATCH', `${WIDGETS}/a?fieldValidation=Strict`, { spec: { bogus: 1 } }, merge);
    expect(patched.status).toBe(422);
    expect(patched.body['message']).toContain('strict decoding error: unknown field "spec.bogus"');
  });
});
