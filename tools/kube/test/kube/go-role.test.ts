import { readFileSync } from 'node:fs';
import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { watchKind } from '@cro/kube-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventKind, fieldAt } from './support/kinds.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { asked, complaints, told } from './support/records.ts';
import { NAMESPACE, startWorld, type World } from './support/world.ts';

/* The operator's image is changed, and its roles are still those of the Go operator's manifests. */

const NAME = 'one';
const CERTIFICATE = `composable-resource-operator-webhook-cert in ${NAMESPACE}`;
const CONFIGURATION =
  'validatingwebhookconfigurations.admissionregistration.k8s.io composable-resource-operator-validating-webhook-configuration';

/** What the Go operator does not do, or does through a file that is mounted: verbs, and of what. */
const MISSING: readonly (readonly [readonly string[], string])[] = [
  [['list', 'watch'], `secrets credentials in ${NAMESPACE}`],
  [['create'], 'events in default'],
  [['patch'], 'events in default'],
  [['list', 'watch'], `secrets ${CERTIFICATE}`],
  [['get'], `secrets ${CERTIFICATE}`],
  [['create'], `secrets in ${NAMESPACE}`],
  [['patch'], `secrets ${CERTIFICATE}`],
  [['list', 'watch'], CONFIGURATION],
  [['patch'], CONFIGURATION],
];
const LINES = MISSING.map(([verbs, what]) => `${verbs.join(', ')} ${what}`);

/** The user name for the simulated fabric is `operator`, and no log shows a credential. */
function hidden(text: string): string {
  return text.replaceAll('operator', '[redacted]');
}

let world: World;

beforeAll(async () => {
  world = await startWorld({ webhook: false, roles: [new URL('go-role/', import.meta.url)] });
  // With nothing done on nodes: their commands are another matter than what a changed image misses.
  await world.startOperator();
});

afterAll(async () => {
  await world.close();
});

describe("under the Go operator's roles alone", () => {
  test('a device is attached, and given back', async () => {
    await ask(world, NAME);
    await untilThere(world, NAME);
    await askBack(world, NAME);
    await untilBack(world, NAME);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
  });

  test('an event says that something is missing, and where it is to be had', async () => {
    const { client, transport, trouble: signal, caches } = world;
    const events = watchKind(eventKind, {
      client,
      transport,
      clock,
      random: Math.random,
      signal,
      namespace: NAMESPACE,
    });
    const event = await until({
      clock,
      what: 'an event about missing permissions',
      on: [(look) => events.subscribe(look), (look) => caches.leases.subscribe(look)],
      value: () => events.list().find((one) => fieldAt(one, 'reason') === 'PermissionsMissing'),
      standing: () => readFileSync(world.logPath, 'utf8'),
      withinMs: 60_000,
      signal,
    });
    expect(fieldAt(event, 'type')).toBe('Warning');
    expect(fieldAt(event, 'involvedObject', 'kind')).toBe('Lease');
    expect(fieldAt(event, 'message')).toContain('apply deploy/rbac');
    expect(fieldAt(event, 'message')).toContain(LINES[0]);
  });

  test('a line of the log names all of it, once, and what does not work without it', async () => {
    const lines = (await complaints(world)).filter(({ message }) => message === 'permissions are missing');
    expect(lines).toHaveLength(1);
    const missing = lines.flatMap((line) => line['missing'] as readonly string[]);
    expect(missing.map((one) => one.split(': without it ')[0])).toEqual(LINES.map(hidden));
    expect(missing.every((one) => (one.split(': without it ')[1] ?? '') !== '')).toBe(true);
  });

  test('it asks for nothing else that is refused', async () => {
    const refused = new Set((await asked(world)).filter(({ code }) => code === 403).map(told));
    const named = MISSING.flatMap(([verbs, what]) => verbs.map((verb) => `403 ${verb} ${what.split(/[ .]/)[0] ?? ''}`));
    expect([...refused].filter((one) => !named.includes(one))).toEqual([]);
  });
});
