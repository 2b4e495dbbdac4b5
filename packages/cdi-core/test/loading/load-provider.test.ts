import { defineProvider, loadProvider, providerRegistry, type Provider } from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import { describe, expect, test } from 'vitest';

const node = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const made: unknown[] = [];
const none = () => Promise.reject(new Error('not called here'));
const provider: Provider = {
  name: 'toy',
  lane: 'machine',
  settleSeconds: 1,
  timeouts: { read: 1_000, mutate: 1_000 },
  locate: none,
  prepare: none,
  start: none,
  resume: none,
  list: none,
  inventory: none,
};

const definition = defineProvider<{ endpoint: string }>({
  contract: 1,
  name: 'toy',
  configSchema: {
    type: 'object',
    required: ['endpoint'],
    additionalProperties: false,
    properties: {
      endpoint: { type: 'string', pattern: '^[a-z.]+$' },
      retries: { type: 'integer', default: 3 },
      mode: { enum: ['fast', 'slow'] },
      login: {
        type: 'object',
        default: {},
        properties: { password: { type: 'object', 'x-cro-secret': true, default: { name: 'toy', key: 'password' } } },
      },
    },
  },
  reads: [node],
  create: (_, config) => {
    made.push(config);
    return provider;
  },
});

const host = () => fakeHost({ clock: new VirtualClock(), http: { send: none } });

/** What `loadProvider` says of a definition as JavaScript may have it. */
function told(changes: object, config: unknown = { endpoint: 'fm.test' }): unknown {
  const loaded = loadProvider({ ...definition, ...changes }, config);
  return loaded.tag === 'failed' ? loaded.message : loaded;
}

describe('loadProvider', () => {
  test('fills in defaults, tells the Secrets and kinds to watch, and makes nothing before it is told to', () => {
    const loaded = loadProvider(definition, { endpoint: 'fm.test' });
    expect(made).toEqual([]);
    if (loaded.tag !== 'loaded') throw new Error(loaded.message);
    expect(loaded.reads).toEqual([node]);
    expect(loaded.secrets).toEqual([{ name: 'toy', key: 'password' }]);
    expect(loaded.create(host())).toBe(provider);
    const login = { password: { name: 'toy', key: 'password' } };
    expect(made).toEqual([{ endpoint: 'fm.test', retries: 3, login }]);
  });

  test('reads follow the configuration where the definition says how', () => {
    const loaded = loadProvider({ ...definition, readsFor: () => [] }, { endpoint: 'fm.test' });
    expect(loaded).toMatchObject({ tag: 'loaded', reads: [] });
  });

  test.each([
    [{}, "provider 'toy': the configuration: must have required property 'endpoint'"],
    [{ endpoint: 'X!' }, 'provider \'toy\': endpoint: found "X!", it must match pattern "^[a-z.]+$"'],
    [{ endpoint: 'a', retries: 'x' }, 'provider \'toy\': retries: found "x", it must be integer'],
    [
      { endpoint: 'a', mode: 'medium' },
      'provider \'toy\': mode: found "medium", it must be equal to one of the allowed values: ["fast","slow"]',
    ],
    [{ endpoint: 'a', more: 1 }, "provider 'toy': the configuration: unknown field 'more'"],
    [undefined, "provider 'toy': the configuration: found nothing, it must be object"],
  ])('the configuration %j is refused in one line', (config, message) => {
    expect(loadProvider(definition, config)).toEqual({ tag: 'failed', message });
  });

  test.each<[string, object, string]>([
    ['another contract version', { contract: 2 }, 'it is made for contract 2, accepted: 1'],
    ['no contract version', { contract: undefined }, 'it is made for contract nothing, accepted: 1'],
    ['a name in capitals', { name: 'Toy' }, 'name: found "Toy", accepted: string matching'],
    ['no schema', { configSchema: undefined }, 'configSchema: found nothing, accepted: object'],
    ['no create', { create: undefined }, 'create: found nothing, accepted: a function'],
    ['a readsFor that is none', { readsFor: 3 }, 'readsFor: found 3, accepted: a function, or nothing'],
    ['a kind that would leave its URL', { reads: [{ ...node, plural: '../x' }] }, 'reads[0].plural: found "../x"'],
    [
      'Secrets among its reads',
      { reads: [{ ...node, kind: 'Secret', plural: 'secrets', namespaced: true }] },
      'reads names Secrets: mark the field of the configuration with "x-cro-secret" instead',
    ],
    [
      'a type that is none',
      { configSchema: { type: 'objekt' } },
      "provider 'toy': its configSchema cannot be used: schema is invalid: data/type must be equal to one of the allowed values",
    ],
    [
      'another draft',
      { configSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
      'its configSchema cannot be used: no schema with key or ref "https://json-schema.org/draft/2020-12/schema"',
    ],
    ['an asynchronous schema', { configSchema: { $async: true } }, '$async is not accepted'],
    ['an unknown keyword', { configSchema: { requird: ['endpoint'] } }, 'strict mode: unknown keyword: "requird"'],
    [
      'a readsFor that throws',
      {
        readsFor: () => {
          throw new Error('boom');
        },
      },
      "provider 'toy': readsFor threw: boom",
    ],
    [
      'a readsFor without an answer',
      { readsFor: () => 'nodes' },
      'readsFor answered a wrong list: reads: found "nodes"',
    ],
  ])('a definition with %s is refused in one line', (_, changes, message) => {
    expect(told(changes)).toEqual(expect.stringContaining(message));
  });

  test.each<[string, object, string]>([
    ['another name', { name: 'toi' }, 'create answered no provider: name: found "toi", accepted: "toy"'],
    ['a lane that is none', { lane: 'rack' }, 'create answered no provider: lane: found "rack"'],
    ['a call missing', { inventory: undefined }, 'create answered no provider: inventory: found no function'],
    ['no bounds', { timeouts: {} }, 'create answered no provider: timeouts.read: found nothing'],
  ])('a provider with %s is refused in one line', (_, changes, message) => {
    const loaded = loadProvider({ ...definition, create: () => ({ ...provider, ...changes }) }, { endpoint: 'a' });
    if (loaded.tag !== 'loaded') throw new Error(loaded.message);
    expect(() => loaded.create(host())).toThrow(`provider 'toy': ${message}`);
  });

  test('a create that throws is told in one line', () => {
    const create = () => {
      throw new Error('no such\nfabric');
    };
    const loaded = loadProvider({ ...definition, create }, { endpoint: 'a' });
    if (loaded.tag !== 'loaded') throw new Error(loaded.message);
    expect(() => loaded.create(host())).toThrow("provider 'toy': create threw: no such fabric");
  });
});

test('a registry finds a provider by its name, and refuses two of one name', () => {
  const [a, b] = [{ name: 'a' } as Provider, { name: 'b' } as Provider];
  const registry = providerRegistry([a, b]);
  expect(registry.get('b')).toBe(b);
  expect(registry.get('c')).toBeUndefined();
  expect(registry.all()).toEqual([a, b]);
  expect(() => providerRegistry([a, { name: 'a' } as Provider])).toThrow('two providers have the same name');
});
