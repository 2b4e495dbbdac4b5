import { loadProvider } from '@cro/cdi-core';
import { cdim } from '@cro/cdi-nec';
import { describe, expect, test } from 'vitest';
import { attachOne, attachRequest, BASE, openCdim, prepare, TOKEN } from './support/cdim.ts';

const least = {
  configurationManager: 'https://cdim.example.com/cdim/api/v1',
  layoutApply: 'http://10.0.0.1:8013/cdim/api/v1/',
};

describe('configuration', () => {
  test.each([
    [{ configurationManager: BASE }, "the configuration: must have required property 'layoutApply'"],
    [{ ...least, layoutApply: 'cdim:8013' }, 'layoutApply: found "cdim:8013"'],
    [{ ...least, layoutApply: 'ftp://cdim/x' }, 'layoutApply: found "ftp://cdim/x"'],
    [{ ...least, exporter: 'http://user:pw@cdim/x' }, 'exporter: found'],
    [{ ...least, hwControl: 'http://cdim/x?y=1' }, 'hwControl: found'],
    [{ ...least, dialect: 'other' }, 'dialect: found "other"'],
    [{ ...least, resourceGroups: [] }, 'resourceGroups: found a list'],
    [{ ...least, nodes: { a: '../b' } }, 'nodes.a: found "../b"'],
    [{ ...least, provisionalGpuUuid: 'x y' }, 'provisionalGpuUuid: found "x y"'],
    [{ ...least, token: 'plain' }, 'token: found a string'],
    [{ ...least, user: 'x' }, "the configuration: unknown field 'user'"],
  ])('%j is refused', (config, message) => {
    const loaded = loadProvider(cdim, config);
    expect(loaded.tag === 'failed' && loaded.message).toContain(`provider 'nec-cdim': ${message}`);
  });

  test('names the key of the token to be watched, and no kind', () => {
    const token = { name: 'cdim', key: 'token' };
    expect(loadProvider(cdim, { ...least, token })).toMatchObject({ tag: 'loaded', secrets: [token], reads: [] });
    expect(loadProvider(cdim, least)).toMatchObject({ tag: 'loaded', secrets: [] });
  });

  test('the lane is the whole manager', () => {
    expect(openCdim().provider).toMatchObject({ name: 'nec-cdim', lane: 'manager', settleSeconds: 600 });
    expect(openCdim({}, { settleSeconds: 5 }).provider.settleSeconds).toBe(5);
  });
});

describe('the token', () => {
  const token = { name: 'cdim', key: 'token' };

  test('is sent, is never logged, and a new one counts at once', async () => {
    const world = openCdim({ token: TOKEN }, { token });
    await attachOne(world);
    world.sim.setToken('a-newer-token');
    const told = await prepare(world, attachRequest(world));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Unauthenticated' } });
    world.host.secrets.set('cdim/token', 'a-newer-token\n');
    await attachOne(world);
    expect(JSON.stringify([world.host.logged, told])).not.toMatch(/bearer-token|newer-token/);
    expect(world.host.logged).toMatchObject([
      { level: 'warn', message: expect.stringContaining('without TLS') as string },
    ]);
  });

  test('that is missing is told', async () => {
    const world = openCdim({}, { token });
    world.host.secrets.clear();
    const told = await prepare(world, attachRequest(world));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked', message: 'secrets "cdim" not found' } });
  });
});

describe('the provisional UUID', () => {
  const provisionalGpuUuid = '11111111-2222-4333-8444-555555555555';

  test('is taken where there is one GPU, with a warning', async () => {
    const { makeGpus } = await import('@cro/fabric-sim');
    const world = openCdim({ devices: makeGpus(1, 'A100') }, { provisionalGpuUuid });
    await attachOne(world, { model: 'A100' });
    const { signal } = new AbortController();
    const { devices } = await world.settle(world.provider.list([world.machine], { signal, timeoutMs: 1_000 }));
    expect(devices).toMatchObject([{ deviceId: `GPU-${provisionalGpuUuid}` }]);
    expect(world.host.logged).toMatchObject([{ level: 'warn', fields: { provisionalGpuUuid } }]);
  });

  test('stops everything before a call where there are more', async () => {
    const world = openCdim({}, { provisionalGpuUuid });
    const told = await prepare(world, attachRequest(world));
    expect(told).toMatchObject({
      failure: { kind: 'Blocked', message: expect.stringContaining('CDIM has 4') as string },
    });
    expect(world.sim.calls().attach).toBe(0);
  });
});
