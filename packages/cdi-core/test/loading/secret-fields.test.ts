import { defineProvider, loadProvider } from '@cro/cdi-core';
import { describe, expect, test } from 'vitest';

const SECRET = { 'x-cro-secret': true };

function load(configSchema: Record<string, unknown>, config: unknown) {
  const create = () => {
    throw new Error('nothing is made here');
  };
  return loadProvider(defineProvider({ contract: 1, name: 'toy', configSchema, reads: [], create }), config);
}

const ref = (key: string) => ({ name: 'acme', key });

describe('fields that are marked as secret are found', () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ['at the top', SECRET, ref('a')],
    ['in a list', { type: 'array', items: SECRET }, [ref('a'), ref('b')]],
    ['by a pattern', { type: 'object', patternProperties: { '^user-': SECRET } }, { 'user-1': ref('a') }],
    ['as additional properties', { type: 'object', additionalProperties: SECRET }, { anyone: ref('a') }],
    [
      'by a reference',
      { definitions: { key: SECRET }, properties: { x: { $ref: '#/definitions/key' } } },
      { x: ref('a') },
    ],
    ['in an alternative', { properties: { x: { anyOf: [{ const: 'none' }, SECRET] } } }, { x: ref('a') }],
    ['in all of several', { allOf: [{ properties: { x: SECRET } }, { required: ['x'] }] }, { x: ref('a') }],
    ['in a branch', { if: { required: ['x'] }, then: { properties: { x: SECRET } } }, { x: ref('a') }],
  ])('%s', (_, schema, config) => {
    const named = JSON.stringify(config).match(/"key":"\w+"/g)?.length;
    const loaded = load({ $id: 'toy', ...schema }, config);
    expect(loaded).toMatchObject({ tag: 'loaded' });
    expect(loaded.tag === 'loaded' && loaded.secrets).toHaveLength(named ?? 0);
    expect(loaded.tag === 'loaded' && loaded.secrets[0]).toEqual(ref('a'));
  });

  test('each key once', () => {
    const loaded = load({ properties: { x: SECRET, y: SECRET } }, { x: ref('a'), y: ref('a') });
    expect(loaded).toMatchObject({ secrets: [ref('a')] });
  });

  test('those that are not marked, or not set, are none', () => {
    const loaded = load({ properties: { x: { 'x-cro-secret': false }, y: SECRET } }, { x: ref('a') });
    expect(loaded).toMatchObject({ secrets: [] });
  });
});

const PASSWORD = 'hunter2-hunter2';

describe('a secret that stands in the configuration itself is refused, and not quoted', () => {
  const reference = { type: 'object', ...SECRET, required: ['name', 'key'], additionalProperties: false };
  test.each<[string, Record<string, unknown>, unknown]>([
    ['a text', { properties: { x: SECRET } }, { x: PASSWORD }],
    ['a text, where the type is said too', { properties: { x: { type: 'object', ...SECRET } } }, { x: PASSWORD }],
    ['a text, where the type is said with its fields', { properties: { x: reference } }, { x: PASSWORD }],
    [
      'a text, where one of several types is said',
      { properties: { x: { type: ['object', 'null'], ...SECRET } } },
      { x: PASSWORD },
    ],
    [
      'within',
      { properties: { x: { ...SECRET, properties: { key: { const: 'a' } } } } },
      { x: { name: 'acme', key: PASSWORD } },
    ],
    ['above', { properties: { x: SECRET }, minProperties: 2 }, { x: PASSWORD }],
    ['as the key of no Secret', { properties: { x: SECRET } }, { x: { name: 'acme', key: `${PASSWORD}!` } }],
  ])('%s', (_, schema, config) => {
    const loaded = load(schema, config);
    expect(loaded.tag === 'failed' && loaded.message).toMatch(/^provider 'toy': .*: found (a|an) \w+, it must/);
    expect(JSON.stringify(loaded)).not.toContain('hunter2');
  });

  test.each(['acme,metadata.name=other', '../acme', 'Acme', ''])('%j is no name of a Secret', (name) => {
    expect(load({ properties: { x: SECRET } }, { x: { name, key: 'a' } })).toEqual({
      tag: 'failed',
      message:
        'provider \'toy\': x: found an object, it must be the name and the key of a Secret: { "name": "...", "key": "..." }',
    });
  });
});
