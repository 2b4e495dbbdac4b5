import { describe, expect, it } from 'vitest';
import { bringUp, reasonOf, resourceNamed } from './world/acts.ts';
import { putRequest, resourcesOf, runsWith, until } from './world/objects.ts';
import { deleteSecret, putSecret } from './world/secret.ts';
import { makeWorld, type World } from './world/world.ts';

const failing = (world: World) => resourcesOf(world).find((one) => one.status?.error !== undefined);

/** Waits until an attach says that it cannot log in. */
async function refused(world: World): Promise<string> {
  putRequest(world, 'story', { size: 1 });
  await until(world, 'told', () => failing(world) !== undefined, 60_000);
  return failing(world)?.status?.error ?? '';
}

describe('a Secret', () => {
  it('that is missing at the start: not ready, told in the status; when it comes all goes on at once', async () => {
    const world = await makeWorld({ secret: false });
    const { operator } = world.startOperator();
    expect(await refused(world)).toContain('secrets "credentials" not found');
    expect(reasonOf(failing(world))).toBe('Unauthenticated');
    expect(operator.notReady().join()).toContain('secrets "credentials" not found');
    await world.clock.advance(300_000);
    expect(world.fabric.calls()).toMatchObject({ token: 0, attach: 0 });
    putSecret(world.kube, world.fabric.credentials);
    await until(world, 'running', () => runsWith(world, 'story', 1), 2_000);
    expect(operator.notReady()).toEqual([]);
  });

  it('without one of its keys: the key is named', async () => {
    const world = await makeWorld({ secret: false });
    putSecret(world.kube, { ...world.fabric.credentials, clientSecret: '' });
    const { operator } = world.startOperator();
    expect(await refused(world)).toContain('has no key "client_secret"');
    expect(operator.notReady().join()).toContain('has no key "client_secret"');
  });

  it('with a wrong password that is put right: the next try uses it, without a restart', async () => {
    const world = await makeWorld({ secret: false });
    putSecret(world.kube, { ...world.fabric.credentials, password: 'yesterday-s-password' });
    world.startOperator();
    const error = await refused(world);
    expect(error).toContain('unable to rotate token: http returned code: 401');
    expect(error).not.toContain('yesterday-s-password');
    putSecret(world.kube, world.fabric.credentials);
    await until(world, 'running', () => runsWith(world, 'story', 1), 2_000);
  });

  it('that is rotated under a running operator: the next call signs in with what is new, and neither is logged', async () => {
    const world = await makeWorld();
    world.startOperator();
    const before = world.fabric.credentials;
    await bringUp(world, 'story', { size: 1 });
    const after = { ...before, password: 'tomorrow-s-password', clientSecret: 'tomorrow-s-secret' };
    const calls = await world.figures.fabricCallsOf(async () => {
      world.fabric.setCredentials(after);
      world.fabric.revokeTokens();
      putSecret(world.kube, after);
      await bringUp(world, 'story', { size: 2 });
    });
    expect(calls).toMatchObject({ token: 1, attach: 1 });
    const log = JSON.stringify(world.log);
    for (const { password, clientSecret } of [before, after]) {
      expect(log).not.toContain(password);
      expect(log).not.toContain(clientSecret);
    }
  });

  it('that is taken away: what runs is not touched, and the health of nothing is doubted', async () => {
    const world = await makeWorld();
    const { operator } = world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    deleteSecret(world.kube);
    await world.clock.advance(7_200_000);
    expect(resourceNamed(world, child?.metadata.name ?? '')?.status).toMatchObject({ state: 'Online' });
    expect(resourcesOf(world)).toHaveLength(1);
    expect(operator.notReady().join()).toContain('secrets "credentials" not found');
    putSecret(world.kube, world.fabric.credentials);
    await world.clock.advance(60_000);
    expect(operator.notReady()).toEqual([]);
  });
});

describe('a token', () => {
  it('that the fabric no longer knows is renewed once, and the call is made with the new one', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const calls = await world.figures.fabricCallsOf(async () => {
      world.fabric.revokeTokens();
      await bringUp(world, 'story', { size: 2 });
    });
    expect(calls).toMatchObject({ token: 1, attach: 1 });
  });

  it('is asked for once for all machines, and again only when it runs out', async () => {
    const world = await makeWorld({ nodes: 4, devices: 8 });
    world.startOperator();
    for (const name of ['a', 'b', 'c', 'd']) putRequest(world, name, { size: 2 });
    await until(world, 'running', () => ['a', 'b', 'c', 'd'].every((name) => runsWith(world, name, 2)));
    expect(world.fabric.calls().token).toBe(1);
    // An hour each, renewed 30 s early; a minute passes between two reads.
    await world.clock.advance(4 * 3_600_000);
    expect(world.fabric.calls().token).toBe(5);
  });

  it.each([
    {
      what: 'refused',
      effect: {
        tag: 'answer',
        status: 401,
        body: { json: { error: 'invalid_grant', error_description: 'Invalid user credentials' } },
      },
      says: 'unable to rotate token: http returned code: 401',
    },
    {
      what: 'answered with 400',
      effect: { tag: 'answer', status: 400, body: { json: { error: 'x' } } },
      says: 'unable to rotate token: http returned code: 400',
    },
    {
      what: 'answered with a page',
      effect: { tag: 'answer', status: 200, body: { html: '<html></html>' } },
      says: 'unable to rotate token: failed to read id_manager response body into Token',
    },
    {
      what: 'no JWT',
      effect: { tag: 'badToken', flaw: 'notJwt' },
      says: 'unable to rotate token: invalid access token',
    },
    {
      what: 'not base64',
      effect: { tag: 'badToken', flaw: 'badBase64' },
      says: 'unable to rotate token: failed to decode id_manager payload',
    },
    {
      what: 'not JSON inside',
      effect: { tag: 'badToken', flaw: 'badJson' },
      says: 'unable to rotate token: failed to unmarshal id_manager json',
    },
    {
      what: 'without a field',
      effect: { tag: 'omitFields', fields: ['access_token'] },
      says: 'unable to rotate token: failed to read id_manager response body into Token',
    },
  ] as const)('that is $what: told by its kind, and tried again', async ({ effect, says }) => {
    const world = await makeWorld();
    const fault = world.fabric.faults.add({ kind: 'token', times: Infinity, effect });
    world.startOperator();
    expect(await refused(world)).toContain(says);
    expect(failing(world)?.status?.state).toBe('Attaching');
    expect(world.fabric.calls().attach).toBe(0);
    fault.remove();
    await until(world, 'running', () => runsWith(world, 'story', 1), 120_000);
    expect(world.fabric.calls().attach).toBe(1);
  });
});
