import { loadProvider } from '@cro/cdi-core';
import { sunfish } from '@cro/cdi-sunfish';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../src/process/settings/parse-settings.ts';

const GOOD = { DEVICE_RESOURCE_TYPE: 'DRA', CDI_PROVIDER_TYPE: 'SUNFISH' };

function configOf(changes: Readonly<Record<string, string>>): unknown {
  const outcome = parseSettings({ ...GOOD, ...changes });
  if (outcome.tag !== 'ok') throw new Error(outcome.problems.join('\n'));
  const { provider } = outcome.settings;
  return provider.name === 'npm' ? undefined : provider.config;
}

function problems(changes: Readonly<Record<string, string>>): readonly string[] {
  const outcome = parseSettings({ ...GOOD, ...changes });
  return outcome.tag === 'ok' ? [] : outcome.problems;
}

describe('settings of SUNFISH', () => {
  test('nothing at all is enough, as in the Go operator', () => {
    expect(parseSettings(GOOD)).toMatchObject({ settings: { provider: { name: 'sunfish' } } });
    expect(configOf({})).toEqual({
      endpoint: 'http://composition-service.cro-system.svc.cluster.local:5060',
      auth: 'none',
      attachMethod: 'auto',
      memoryModels: {},
      settleSeconds: 60,
    });
  });

  test('everything can be set, and the provider takes it', () => {
    const config = configOf({
      SUNFISH_ENDPOINT: 'https://redfish.example:8443/',
      CRO_SUNFISH_AUTH: 'session',
      CRO_SUNFISH_ATTACH_METHOD: 'connections',
      CRO_SUNFISH_MEMORY_MODELS: 'cxl-64g=65536, cxl-1g=1024',
      CRO_FABRIC_CA_FILE: '/ca.pem',
      CRO_SETTLE_SECONDS: '5',
    });
    expect(config).toEqual({
      endpoint: 'https://redfish.example:8443',
      auth: 'session',
      credentials: {
        username: { name: 'credentials', key: 'username' },
        password: { name: 'credentials', key: 'password' },
      },
      attachMethod: 'connections',
      memoryModels: { 'cxl-64g': { sizeMiB: 65_536 }, 'cxl-1g': { sizeMiB: 1024 } },
      caFile: '/ca.pem',
      settleSeconds: 5,
    });
    const loaded = loadProvider(sunfish, config);
    expect(loaded).toMatchObject({ tag: 'loaded', reads: [] });
  });

  test('an endpoint without a scheme is http; a bearer token has a key of its own', () => {
    expect(configOf({ SUNFISH_ENDPOINT: 'redfish.example:5060' })).toMatchObject({
      endpoint: 'http://redfish.example:5060',
    });
    const bearer = configOf({ SUNFISH_ENDPOINT: 'https://x', CRO_SUNFISH_AUTH: 'bearer' });
    expect(bearer).toMatchObject({ credentials: { token: { name: 'credentials', key: 'token' } } });
    expect(loadProvider(sunfish, bearer)).toMatchObject({ secrets: [{ name: 'credentials', key: 'token' }] });
  });

  test.each([
    ['SUNFISH_ENDPOINT', 'ftp://x'],
    ['SUNFISH_ENDPOINT', 'user:secret@x'],
    ['SUNFISH_ENDPOINT', 'x/redfish/v1'],
    ['SUNFISH_ENDPOINT', 'x:99999'],
    ['CRO_SUNFISH_AUTH', 'digest'],
    ['CRO_SUNFISH_ATTACH_METHOD', 'zones'],
    ['CRO_SUNFISH_MEMORY_MODELS', 'cxl'],
    ['CRO_SUNFISH_MEMORY_MODELS', 'cxl=0'],
    ['CRO_SUNFISH_MEMORY_MODELS', 'cxl=1,,'],
  ])('%s=%j has one line', (name, value) => {
    const found = problems({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^the env variable ${name} has an invalid value: '`));
  });

  test('credentials are not sent in the clear', () => {
    expect(problems({ CRO_SUNFISH_AUTH: 'basic', SUNFISH_ENDPOINT: 'http://x' })).toEqual([
      "the env variable CRO_SUNFISH_AUTH is 'basic', which sends credentials, and SUNFISH_ENDPOINT is not https: set it to https://host[:port]",
    ]);
  });
});

describe('CRO_MEMORY_SLICE_ATTRIBUTE', () => {
  const memoryBy = (text: string) => {
    const outcome = parseSettings({ ...GOOD, CRO_MEMORY_SLICE_ATTRIBUTE: text });
    return outcome.tag === 'ok' ? outcome.settings.memory : outcome.problems;
  };

  test('names a driver and an attribute, which may have a domain of its own', () => {
    expect(memoryBy('')).toBeUndefined();
    expect(memoryBy('cxl.example.com/gcxlid')).toEqual({ driver: 'cxl.example.com', attribute: 'gcxlid' });
    const attribute = 'names.example.com/gcxlid';
    expect(memoryBy(`cxl.example.com/${attribute}`)).toEqual({ driver: 'cxl.example.com', attribute });
  });

  test.each(['gcxlid', '/gcxlid', 'cxl.example.com/', 'CXL/gcxlid', 'cxl.example.com/a/b/c', 'cxl.example.com/gc-xl'])(
    '%s is neither',
    (text) => {
      expect(memoryBy(text)).toEqual([expect.stringContaining('accepted: driver/attribute') as string]);
    },
  );
});
