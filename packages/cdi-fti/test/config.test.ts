import { loadProvider } from '@cro/cdi-core';
import { fabricManager } from '@cro/cdi-fti';
import { describe, expect, test } from 'vitest';
import { openFabric } from './support/fabric.ts';

const least = { endpoint: 'fm.example.com', tenantId: '00000000-3000-4000-8000-000000000000' };

describe('configuration', () => {
  test.each(['fm.example.com', 'fm.example.com/', '10.0.0.1:8443', '[fd00::1]:8443/'])(
    'takes the endpoint %s',
    (endpoint) => {
      expect(loadProvider(fabricManager, { ...least, endpoint }).tag).toBe('loaded');
    },
  );

  test.each(['https://fm.example.com', 'fm.example.com/path', 'user@fm.example.com', 'fm?x', 'fm:port', ''])(
    'refuses the endpoint %j',
    (endpoint) => {
      const loaded = loadProvider(fabricManager, { ...least, endpoint });
      expect(loaded).toMatchObject({ tag: 'failed' });
      expect(JSON.stringify(loaded)).toContain('endpoint: found');
    },
  );

  test.each([
    [{ endpoint: 'fm' }, "the configuration: must have required property 'tenantId'"],
    [{ ...least, settleSeconds: -1 }, 'settleSeconds: found -1, it must be >= 0'],
    [{ ...least, tenantId: 'a b' }, 'tenantId: found "a b"'],
    [{ ...least, clusterId: '' }, 'clusterId: found ""'],
    [{ ...least, user: 'x' }, "the configuration: unknown field 'user'"],
  ])('%j is refused', (config, message) => {
    const loaded = loadProvider(fabricManager, config);
    expect(loaded.tag === 'failed' && loaded.message).toContain(`provider 'fti-fm': ${message}`);
  });

  test('the Secret is `credentials` unless told otherwise, and the settle window 240 s', () => {
    const loaded = loadProvider(fabricManager, { ...least, credentials: { realm: { name: 'other', key: 'r' } } });
    if (loaded.tag !== 'loaded') throw new Error(loaded.message);
    expect(loaded.secrets).toEqual([
      { name: 'credentials', key: 'username' },
      { name: 'credentials', key: 'password' },
      { name: 'credentials', key: 'client_id' },
      { name: 'credentials', key: 'client_secret' },
      { name: 'other', key: 'r' },
    ]);
    const { host, restart } = openFabric();
    expect(loaded.create(host).settleSeconds).toBe(240);
    expect(restart({ settleSeconds: 5 }).settleSeconds).toBe(5);
  });

  test('calls exclude each other on the machine', () => {
    const { provider } = openFabric();
    expect(provider).toMatchObject({ name: 'fti-fm', lane: 'machine', timeouts: { read: 30_000, mutate: 180_000 } });
    expect(provider.maxInFlight).toBeUndefined();
  });
});
