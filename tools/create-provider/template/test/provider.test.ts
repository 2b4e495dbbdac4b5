import { loadProvider } from '@cro/cdi-core';
import { fakeHost, httpOver } from '@cro/cdi-core/testing';
import { systemClock } from '@cro/clock';
import { expect, test } from 'vitest';
import { Fabric } from '../sim/fabric.ts';
import provider from '../src/index.ts';
import { config, TOKEN } from './world.ts';

test('the operator loads it, and watches its Secret', () => {
  expect(loadProvider(provider, config)).toMatchObject({ tag: 'loaded', secrets: [config.token], reads: [] });
});

test.each([
  [{ ...config, endpoint: 'fabric.test' }, 'endpoint: found "fabric.test"'],
  [{ ...config, token: TOKEN }, 'token: found a string, it must be the name and the key of a Secret'],
])('a wrong configuration is refused', (wrong, message) => {
  const loaded = loadProvider(provider, wrong);
  expect(loaded.tag === 'failed' && loaded.message).toContain(message);
});

test('a token that is replaced in its Secret is the one that the next call carries', async () => {
  const fabric = new Fabric(['machine-1'], TOKEN);
  const host = fakeHost({
    clock: systemClock,
    http: httpOver(config.endpoint, fabric),
    secrets: { 'my-fabric/token': TOKEN },
  });
  const made = provider.create(host, config);
  const list = () => made.list(['machine-1'], { signal: new AbortController().signal, timeoutMs: 1_000 });
  expect(await list()).toEqual({ devices: [], unreadable: [] });
  fabric.token = 'another-token';
  expect(await list()).toMatchObject({ unreadable: [{ failure: { kind: 'Unauthenticated' } }] });
  host.secrets.set('my-fabric/token', 'another-token');
  expect(await list()).toEqual({ devices: [], unreadable: [] });
});
