import {
  builtInDefinitions,
  defineProvider,
  loadProvider,
  providerRegistry,
  type Provider,
  type ProviderDefinition,
} from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import { describe, expect, test } from 'vitest';

const node = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const made: unknown[] = [];

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
    return { name: 'toy' } as Provider;
  },
});

describe('loadProvider', () => {
  test('fills in defaults, tells the Secrets and kinds to watch, and makes nothing before it is told to', () => {
    const loaded = loadProvider(definition, { endpoint: 'fm.test' });
    expect(made).toEqual([]);
    if (loaded.tag !== 'loaded') throw new Error(loaded.message);
    expect(loaded.reads).toEqual([node]);
    expect(loaded.secrets).toEqual([{ name: 'toy', key: 'password' }]);
    const http = { send: () => Promise.reject(new Error('no network here')) };
    expect(loaded.create(fakeHost({ clock: new VirtualClock(), http })).name).toBe('toy');
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
    [{ endpoint: 'a', more: 1 }, "provider 'toy': the configuration: unknown field 'more'"],
    [undefined, "provider 'toy': the configuration: found nothing, it must be object"],
  ])('the configuration %j is refused in one line', (config, message) => {
    expect(loadProvider(definition, config)).toEqual({ tag: 'failed', message });
  });

  test('another contract version is refused in one line', () => {
    const other = { ...definition, contract: 2 } as unknown as ProviderDefinition;
    const message = "provider 'toy' is made for contract 2, this operator has contract 1";
    expect(loadProvider(other, { endpoint: 'a' })).toEqual({ tag: 'failed', message });
  });

  test('a schema that is none is refused in one line', () => {
    const broken = { ...definition, configSchema: { type: 'objekt' } };
    expect(loadProvider(broken, {})).toMatchObject({ tag: 'failed' });
  });
});

describe('builtInDefinitions', () => {
  test('finds by name without regard to case, and lists what there is', async () => {
    const find = builtInDefinitions([definition]);
    expect(await find('TOY')).toEqual({ tag: 'found', definition });
    expect(await find('npm:@acme/x')).toEqual({
      tag: 'failed',
      message: "there is no provider 'npm:@acme/x', there are: toy",
    });
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
