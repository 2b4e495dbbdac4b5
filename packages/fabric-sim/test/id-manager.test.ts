import { describe, expect, it } from 'vitest';
import type { Effect } from '@cro/fabric-sim';
import { askToken, at, logIn, makeFabric, never, tokenForm } from './support/client.ts';

interface TokenAnswer {
  access_token: string;
}

function accessToken(body: string): string {
  return (JSON.parse(body) as TokenAnswer).access_token;
}

describe('a token', () => {
  it('comes with all the fields of the product, and says when it expires', async () => {
    const { clock, sim } = makeFabric({ tokenLifetimeSeconds: 300 });
    const response = await askToken(sim);
    expect(response.status).toBe(200);
    const body = JSON.parse(response.body) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'not-before-policy',
      'refresh_expires_in',
      'refresh_token',
      'scope',
      'session_state',
      'token_type',
    ]);
    const parts = accessToken(response.body).split('.');
    const payload = JSON.parse(Buffer.from(at(parts, 1), 'base64url').toString()) as { exp: number };
    expect([parts.length, payload.exp, body['expires_in']]).toEqual([3, clock.now() / 1000 + 300, 300]);
  });

  it('opens the Fabric Manager until it expires or is revoked', async () => {
    const { clock, sim, machine } = makeFabric({ tokenLifetimeSeconds: 300 });
    const client = await logIn(sim);
    await clock.advance(299_999);
    expect((await client.get(machine(0))).status).toBe(200);
    await clock.advance(1);
    const expired = await client.get(machine(0));
    expect([expired.status, expired.body]).toEqual([401, expect.stringContaining('the access token is expired')]);
    const next = await logIn(sim);
    expect((await next.get(machine(0))).status).toBe(200);
    sim.revokeTokens();
    expect((await next.get(machine(0))).status).toBe(401);
  });
});

describe('a request for a token', () => {
  it.each([
    [{ password: 'wrong' }, 401, { error: 'invalid_grant', error_description: 'Invalid user credentials' }],
    [{ username: 'nobody' }, 401, { error: 'invalid_grant', error_description: 'Invalid user credentials' }],
    [{ client_secret: '' }, 401, { error: 'invalid_client' }],
    [{ client_id: 'other' }, 401, { error: 'invalid_client' }],
    [{ grant_type: 'client_credentials' }, 400, { error: 'unsupported_grant_type' }],
    [{ scope: 'profile' }, 400, { error: 'invalid_scope' }],
  ])('with %o is refused', async (changes, status, body) => {
    const { sim } = makeFabric();
    const response = await askToken(sim, changes);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject(body);
  });

  it('for another realm, by another method or in another form is refused', async () => {
    const { sim } = makeFabric();
    expect((await askToken(sim, {}, 'other')).status).toBe(404);
    expect((await askToken(sim, {}, '%E0')).status).toBe(404);
    const path = `/id_manager/realms/${sim.credentials.realm}/protocol/openid-connect/token`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (method: string, headers: Record<string, string>, body: string) =>
      sim.handle({ method, path, headers, body }, never());
    expect((await send('GET', form, '')).status).toBe(405);
    expect((await send('POST', { 'content-type': 'application/json' }, tokenForm(sim))).status).toBe(415);
    expect((await send('POST', form, '')).status).toBe(400);
  });

  it('is decoded as a form is: a password may hold any character', async () => {
    const password = 'a&b=c+d%20 é';
    const { sim } = makeFabric();
    const credentials = { ...sim.credentials, password };
    const other = makeFabric({ credentials }).sim;
    expect((await askToken(other)).status).toBe(200);
  });

  it('keeps the password and the token out of the call log', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    await client.get(machine(0));
    const log = JSON.stringify(sim.callLog());
    expect(log).not.toContain(client.token);
    expect(log).not.toContain(sim.credentials.password);
  });
});

describe('an id_manager that is broken', () => {
  const flaw = (name: 'notJwt' | 'badBase64' | 'badJson'): Effect => ({ tag: 'badToken', flaw: name });
  it.each([
    [flaw('notJwt'), /^this-is-not-a-valid-jwt$/],
    [flaw('badBase64'), /^header\.%%%%\.signature$/],
    [flaw('badJson'), /^header\.[A-Za-z0-9_-]+\.signature$/],
  ])('answers a token that is none (%o)', async (effect, pattern) => {
    const { sim } = makeFabric();
    sim.faults.add({ kind: 'token', effect });
    expect(accessToken((await askToken(sim)).body)).toMatch(pattern);
  });

  it('answers HTML with 200, or an error of its own', async () => {
    const { sim } = makeFabric();
    sim.faults.add({ kind: 'token', effect: { tag: 'answer', status: 200, body: { html: '<html>' } } });
    const json = { error: 'unsupported_test_user' };
    sim.faults.add({ kind: 'token', effect: { tag: 'answer', status: 400, body: { json } } });
    expect((await askToken(sim)).body).toBe('<html>');
    const second = await askToken(sim);
    expect([second.status, JSON.parse(second.body)]).toEqual([400, json]);
  });
});
