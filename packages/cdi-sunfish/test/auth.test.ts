import type { HttpRequest } from '@cro/cdi-core';
import { describe, expect, test } from 'vitest';
import type { SunfishConfig } from '@cro/cdi-sunfish';
import { openRedfish } from './support/fabric.ts';
import { attachedTo, stepsOn } from './support/steps.ts';

const SESSIONS = '/redfish/v1/SessionService/Sessions';
const credentials = { username: 'operator', password: 'pa55-word', token: 'tok3n-of-the-service' };
const ref = (key: string) => ({ name: 'credentials', key });
const secrets = Object.fromEntries(Object.entries(credentials).map(([key, value]) => [`credentials/${key}`, value]));
const userAndPassword = { username: ref('username'), password: ref('password') };

function open(config: Partial<SunfishConfig>, given: Record<string, string> = secrets) {
  return openRedfish({ credentials }, config, given);
}

const isSignIn = ({ url }: HttpRequest) => url.endsWith(SESSIONS);
const header = ({ headers = {} }: HttpRequest, name: string) => headers[name];

describe('a service that asks who one is', () => {
  test.each([
    ['basic', { auth: 'basic', credentials: userAndPassword }, 'authorization', /^Basic /],
    ['bearer', { auth: 'bearer', credentials: { token: ref('token') } }, 'authorization', /^Bearer tok3n/],
    ['session', { auth: 'session', credentials: userAndPassword }, 'x-auth-token', /^[0-9a-f]{16}$/],
  ] as const)('lets one in by %s, and the secrets are told to nobody', async (_, config, name, form) => {
    const fabric = open(config);
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    const calls = fabric.sent.filter((request) => !isSignIn(request));
    expect(calls.every((request) => form.test(header(request, name) ?? ''))).toBe(true);
    expect(fabric.sent.filter(isSignIn)).toHaveLength(config.auth === 'session' ? 1 : 0);
    const logged = JSON.stringify(fabric.host.logged);
    for (const secret of Object.values(credentials)) expect(logged).not.toContain(secret);
  });

  test.each([
    ['basic', { auth: 'basic', credentials: userAndPassword }],
    ['bearer', { auth: 'bearer', credentials: { token: ref('token') } }],
    ['session', { auth: 'session', credentials: userAndPassword }],
  ] as const)(
    'keeps one out whose %s is wrong: nothing is asked for, and no secret is in the error',
    async (_, config) => {
      const wrong = {
        'credentials/username': 'operator',
        'credentials/password': 'wr0ng-pass',
        'credentials/token': 'wr0ng-token',
      };
      const fabric = open(config, wrong);
      const outcome = await stepsOn(fabric).prepare();
      expect(outcome).toMatchObject({ tag: 'failed', failure: { kind: 'Unauthenticated' } });
      expect(JSON.stringify([outcome, fabric.host.logged])).not.toMatch(/wr0ng/);
      expect(fabric.sent.every(({ method, url }) => method === 'GET' || url.endsWith(SESSIONS))).toBe(true);
    },
  );

  test('is not asked while the Secret is not there', async () => {
    const fabric = open({ auth: 'basic', credentials: userAndPassword }, {});
    expect(await stepsOn(fabric).prepare()).toMatchObject({ tag: 'failed' });
    expect(fabric.sent).toEqual([]);
  });
});

describe('a session', () => {
  const session = { auth: 'session', credentials: userAndPassword } as const;

  test('is opened once for all calls, also for those that begin at the same time', async () => {
    const fabric = open(session);
    const steps = stepsOn(fabric);
    await Promise.all([steps.prepare(), steps.prepare({ holder: 's' }), steps.prepare({ holder: 't' })]);
    expect(fabric.sent.filter(isSignIn)).toHaveLength(1);
  });

  test('that has run out is opened anew, and the change that met its end is made once', async () => {
    const fabric = open(session);
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket();
    fabric.sim.restart();
    expect((await steps.start(ticket)).tag).toBe('done');
    expect(attachedTo(fabric)).toHaveLength(1);
    expect(fabric.sent.filter(isSignIn)).toHaveLength(2);
    expect(fabric.sim.calls().attach).toBe(1);
  });

  test('is opened anew when the Secret changes', async () => {
    const fabric = open(session);
    const steps = stepsOn(fabric);
    await steps.prepare();
    fabric.host.secrets.set('credentials/password', 'another');
    expect(await steps.prepare()).toMatchObject({ tag: 'failed', failure: { kind: 'Unauthenticated' } });
    fabric.host.secrets.set('credentials/password', credentials.password);
    expect((await steps.prepare()).tag).toBe('ticket');
    expect(fabric.sent.filter(isSignIn).length).toBeGreaterThanOrEqual(3);
  });

  test('that the service does not grant for good is not asked for again and again within one call', async () => {
    const fabric = open(session);
    const effect = { tag: 'answer', status: 401, body: { html: '<html>no</html>' } } as const;
    fabric.sim.faults.add({ path: '/redfish/v1/Systems', times: Infinity, effect });
    await stepsOn(fabric).prepare();
    expect(fabric.sent.filter(isSignIn).length).toBeLessThanOrEqual(6);
  });
});

describe('a hostile service', () => {
  const elsewhere = [
    'https://evil.test/redfish/v1/Systems/x',
    '//evil.test/redfish/v1/Systems/x',
    '/redfish/v1/Systems/../../../etc/passwd',
    '/redfish/v1/%2e%2e/%2e%2e/etc/passwd',
    '/other/api',
    '/redfish/v1/Systems/x?a=b#c',
    `/redfish/v1/${'x'.repeat(2_000)}`,
    '/redfish/v1/Systems/x\r\nHost: evil.test',
  ];

  test.each(elsewhere)('that links to %j gets no request there, and no credentials', async (uri) => {
    for (const expand of [true, false]) {
      const fabric = openRedfish({ credentials, expand }, { auth: 'basic', credentials: userAndPassword }, secrets);
      const link = { '@odata.id': uri };
      const members = { Members: [link], 'Members@odata.nextLink': uri };
      const root = { Systems: link, CompositionService: link, Fabrics: link, Chassis: link, Tasks: link };
      fabric.sim.faults.add({ path: '/redfish/v1/', effect: { tag: 'setFields', fields: root } });
      for (const path of ['/redfish/v1/Systems', '/redfish/v1/CompositionService/ResourceBlocks']) {
        fabric.sim.faults.add({ path, times: Infinity, effect: { tag: 'setFields', fields: members } });
      }
      const { machine } = fabric;
      const system = {
        Links: { ResourceBlocks: [link] },
        Actions: { '#ComputerSystem.AddResourceBlock': { target: uri } },
      };
      fabric.sim.faults.add({ kind: 'get', machine, times: Infinity, effect: { tag: 'setFields', fields: system } });
      const prepared = await stepsOn(fabric).prepare();
      expect(prepared.tag).toBe('failed');
      for (const { url } of fabric.sent) {
        expect(url).toMatch(/^https:\/\/redfish\.test\/redfish\/v1\//);
        expect(url).not.toMatch(/evil|passwd|\.\.|%2e/i);
      }
    }
  });
});
