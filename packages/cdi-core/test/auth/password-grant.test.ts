import { CREDENTIAL_KEYS, jsonClient, passwordGrant, SendError, type CredentialRefs } from '@cro/cdi-core';
import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { reply, scripted, type Step } from '../support/scripted.ts';

const refs = Object.fromEntries(CREDENTIAL_KEYS.map((key) => [key, { name: 'credentials', key }])) as CredentialRefs;
const secrets = Object.fromEntries(CREDENTIAL_KEYS.map((key) => [`credentials/${key}`, `${key}-value`]));
const never = new AbortController().signal;
const START = Date.UTC(2026, 0, 1) / 1000;

/** A JWT that expires `seconds` after the virtual clock's start; `mark` makes it different from others. */
function jwt(seconds: number, mark = ''): string {
  const payload = Buffer.from(JSON.stringify({ exp: START + seconds, mark })).toString('base64url');
  return `header.${payload}.signature`;
}

const granted = (token: string) => reply(200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });

function open(steps: readonly Step[], values: Record<string, string> = secrets) {
  const world = scripted(steps, values);
  const url = (realm: string) => `https://fm.test/id_manager/realms/${realm}/protocol/openid-connect/token`;
  return { ...world, tokens: passwordGrant(world.host, { url, credentials: refs }) };
}

describe('the request', () => {
  test('is the form that id_manager takes', async () => {
    const { tokens, run, sent } = open([granted(jwt(3600))], { ...secrets, 'credentials/realm': 'a/b c' });
    expect((await run(tokens.token(never))).value).toEqual({ tag: 'token', token: jwt(3600) });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.method).toBe('POST');
    expect(sent[0]?.url).toBe('https://fm.test/id_manager/realms/a%2Fb%20c/protocol/openid-connect/token');
    expect(sent[0]?.headers?.['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toEqual({
      client_id: 'client_id-value',
      client_secret: 'client_secret-value',
      username: 'username-value',
      password: 'password-value',
      scope: 'openid',
      response_type: 'id_token token',
      grant_type: 'password',
    });
  });
});

describe('the cache', () => {
  test('ten callers at once and ten afterwards make one request', async () => {
    const { tokens, run, sent } = open([granted(jwt(3600))]);
    await run(Promise.all(Array.from({ length: 10 }, () => tokens.token(never))));
    for (let call = 0; call < 10; call += 1) await run(tokens.token(never));
    expect(sent).toHaveLength(1);
  });

  test('a token is kept until 30 s before its exp', async () => {
    const { tokens, run, sent, clock } = open([granted(jwt(3600)), granted(jwt(7200))]);
    await run(tokens.token(never));
    await clock.advance(3_569_999);
    expect((await run(tokens.token(never))).value).toMatchObject({ token: jwt(3600) });
    await clock.advance(1);
    expect((await run(tokens.token(never))).value).toMatchObject({ token: jwt(7200) });
    expect(sent).toHaveLength(2);
  });

  test('a changed Secret is used at once', async () => {
    const { tokens, run, sent, host } = open([granted(jwt(3600)), granted(jwt(3600, 'new'))]);
    await run(tokens.token(never));
    host.secrets.set('credentials/password', 'changed');
    expect((await run(tokens.token(never))).value).toMatchObject({ token: jwt(3600, 'new') });
    expect(new URLSearchParams(sent[1]?.body).get('password')).toBe('changed');
  });

  test('drop forgets the present token and no newer one', async () => {
    const { tokens, run, sent } = open([granted(jwt(3600, '1')), granted(jwt(3600, '2'))]);
    await run(tokens.token(never));
    tokens.drop(jwt(3600, '1'));
    await run(tokens.token(never));
    tokens.drop(jwt(3600, '1'));
    await run(tokens.token(never));
    expect(sent).toHaveLength(2);
  });

  test('refused credentials are not tried again for 30 s, and at once when they change', async () => {
    const no = reply(401, { error: 'invalid_grant' });
    const { tokens, run, sent, clock, host } = open([no, no, granted(jwt(3600))]);
    await run(tokens.token(never));
    await run(tokens.token(never));
    expect(sent).toHaveLength(1);
    await clock.advance(30_000);
    await run(tokens.token(never));
    expect(sent).toHaveLength(2);
    host.secrets.set('credentials/password', 'right');
    expect((await run(tokens.token(never))).value.tag).toBe('token');
  });

  test('one caller that gives up does not take the token from the others', async () => {
    const { tokens, run, sent, clock } = open(['hang', granted(jwt(3600))]);
    const impatient = new AbortController();
    const first = tokens.token(impatient.signal);
    const second = tokens.token(never);
    clock.after(1_000, () => {
      impatient.abort();
    });
    expect((await run(first)).value).toMatchObject({ tag: 'failed', failure: { kind: 'Unreachable' } });
    expect((await run(second)).value).toMatchObject({
      failure: { message: 'unable to rotate token: id_manager token: no answer within 30 s' },
    });
    expect(sent).toHaveLength(1);
    expect((await run(tokens.token(never))).value.tag).toBe('token');
  });
});

describe('failures', () => {
  const bad = (token: string): Step => granted(token);
  test.each<[string, Step, string, string]>([
    [
      'bad credentials',
      reply(401, { error: 'invalid_grant', error_description: 'Invalid user credentials' }),
      'Unauthenticated',
      'http returned code: 401, response body: {"error":"invalid_grant","error_description":"Invalid user credentials"}',
    ],
    [
      'another user',
      reply(400, { error: 'unsupported_test_user' }),
      'Unauthenticated',
      'http returned code: 400, response body: {"error":"unsupported_test_user"}',
    ],
    [
      'HTML',
      reply(200, '<html>'),
      'Protocol',
      "failed to read id_manager response body into Token: invalid character '<' looking for beginning of value (HTTP 200)",
    ],
    ['no JWT', bad('this-is-not-a-valid-jwt'), 'Protocol', 'invalid access token: it is not a JWT of three parts'],
    [
      'bad base64',
      bad('header.%%%%.signature'),
      'Protocol',
      'failed to decode id_manager payload: illegal base64 data',
    ],
    [
      'bad JSON',
      bad(`header.${Buffer.from('this is not json').toString('base64url')}.signature`),
      'Protocol',
      'failed to unmarshal id_manager json: it is not JSON',
    ],
    ['no exp', bad('header.e30.signature'), 'Protocol', 'failed to unmarshal id_manager json: exp is no number'],
    [
      'a broken server',
      reply(502, 'bad gateway'),
      'Unreachable',
      'http returned code: 502, response body: bad gateway',
    ],
    ['a busy server', reply(429, ''), 'Busy', 'http returned code: 429, response body: '],
    ['no answer', new SendError('broken', true, 'it broke'), 'Unreachable', 'id_manager token: it broke'],
  ])('%s', async (_, step, kind, message) => {
    const { tokens, run } = open([step]);
    const failure = { kind, message: `unable to rotate token: ${message}` };
    expect((await run(tokens.token(never))).value).toEqual({ tag: 'failed', failure });
  });

  test('a missing Secret is told in the words of the API server', async () => {
    const { tokens, run, sent } = open([], {});
    expect((await run(tokens.token(never))).value).toMatchObject({
      failure: { message: 'unable to rotate token: secrets "credentials" not found' },
    });
    expect(sent).toHaveLength(0);
  });

  test('what the server sends back of the credentials stays hidden', async () => {
    const echo: Step = ({ body = '' }) => reply(400, `you sent ${body} and password-value`);
    const { tokens, run, host } = open([echo]);
    const { value } = await run(tokens.token(never));
    const seen = JSON.stringify([value, host.logged]);
    expect(seen).not.toContain('password-value');
    expect(seen).not.toContain('client_secret-value');
  });
});

describe('401', () => {
  const call = {
    what: 'FM scaleup',
    method: 'PATCH',
    url: 'https://fm.test/x',
    decode: decoderOf(Type.Unknown()),
  } as const;
  const context = { signal: never, timeoutMs: 30_000 };

  test('a call is repeated once with a new token', async () => {
    const steps = [granted(jwt(3600, '1')), reply(401, ''), granted(jwt(3600, '2')), reply(200, {})];
    const { tokens, run, sent, host } = open(steps);
    const { value } = await run(jsonClient(host, { tokens }).call(call, context));
    expect(value.tag).toBe('ok');
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST', 'PATCH']);
    expect(sent[3]?.headers?.['authorization']).toBe(`Bearer ${jwt(3600, '2')}`);
  });

  test('a second 401 is the answer', async () => {
    const always: Step = ({ method }) => (method === 'POST' ? granted(jwt(3600)) : reply(401, ''));
    const { tokens, run, sent, host } = open([always]);
    const { value } = await run(jsonClient(host, { tokens }).call(call, context));
    expect(value).toMatchObject({ tag: 'status', status: 401 });
    expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  });

  test('without a token nothing is sent, and that is certain', async () => {
    const { tokens, run, sent, host } = open([reply(401, '')]);
    const { value } = await run(jsonClient(host, { tokens }).call(call, context));
    expect(value).toMatchObject({ tag: 'noAnswer', sent: false, failure: { kind: 'Unauthenticated' } });
    expect(sent).toHaveLength(1);
  });
});
