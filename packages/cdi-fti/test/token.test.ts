import { expect, test } from 'vitest';
import { contextOf, openFabric, type Fabric } from './support/fabric.ts';
import { attachOne, attachRequest, prepared } from './support/steps.ts';

async function told(fabric: Fabric): Promise<string> {
  const outcome = await prepared(fabric, attachRequest(fabric));
  return outcome.tag === 'failed' ? outcome.failure.message : outcome.tag;
}

test('a hundred reads cost one token', async () => {
  const fabric = openFabric();
  for (let read = 0; read < 100; read += 1) {
    await fabric.settle(fabric.provider.list([fabric.machine], contextOf(fabric.provider)));
  }
  expect(fabric.sim.calls()).toMatchObject({ token: 1, get: 100 });
});

test('tokens that id_manager forgot are asked for again, and an attach is still made once', async () => {
  const fabric = openFabric();
  await attachOne(fabric);
  fabric.sim.revokeTokens();
  await attachOne(fabric);
  expect(fabric.sim.attachedTo(fabric.machine)).toHaveLength(2);
  expect(fabric.sim.calls().token).toBe(2);
});

test('wrong credentials are told, and right ones are used at once', async () => {
  const fabric = openFabric();
  const right = fabric.host.secrets.get('credentials/password') ?? '';
  fabric.host.secrets.set('credentials/password', 'not-the-password');
  expect(await told(fabric)).toBe(
    'unable to rotate token: http returned code: 401, response body: {"error":"invalid_grant","error_description":"Invalid user credentials"}',
  );
  fabric.host.secrets.set('credentials/password', right);
  expect(await told(fabric)).toBe('ticket');
});

test('a Secret that is missing is told, and its coming is seen', async () => {
  const fabric = openFabric();
  const values = [...fabric.host.secrets];
  fabric.host.secrets.clear();
  expect(await told(fabric)).toBe('unable to rotate token: secrets "credentials" not found');
  for (const [key, value] of values) fabric.host.secrets.set(key, value);
  expect(await told(fabric)).toBe('ticket');
});

test.each([
  ['notJwt', 'invalid access token: it is not a JWT of three parts'],
  ['badBase64', 'failed to decode id_manager payload: illegal base64 data'],
  ['badJson', 'failed to unmarshal id_manager json: it is not JSON'],
] as const)('a flawed token (%s) is told without its text', async (flaw, message) => {
  const fabric = openFabric();
  fabric.sim.faults.add({ kind: 'token', effect: { tag: 'badToken', flaw } });
  expect(await told(fabric)).toBe(`unable to rotate token: ${message}`);
});
