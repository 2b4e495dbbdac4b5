import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@cro/clock';
import { NAMESPACE, requestKind, startWorld, until, type SimWorld } from '@cro/demo';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODEL } from '../../template/sim/fabric.ts';
import { Bad } from './bad.ts';
import { loadFabric, SECRET } from './fabric.ts';
import { operator, settings, type Environment } from './operator.ts';
import { COMMANDS, createProject, type Project } from './project.ts';

const NAME = 'cdi-acme';
const WITHIN_MS = 60_000;

let project: Project;
beforeAll(async () => {
  project = await createProject(NAME);
});
afterAll(() => project.remove());

test('the project passes its tests where it was created, the contract suite among them', () => {
  expect(project.tests).toMatch(/acme: (\d+) of \1 requirements of the provider contract are proven/);
  expect(project.tests).toMatch(/Tests +\d+ passed \(\d+\)/);
});

test('the guide says what was done here', async () => {
  const guide = await readFile(new URL('../../../../docs/write-a-provider.md', import.meta.url), 'utf8');
  for (const command of [`npm create @cro/provider ${NAME}`, ...COMMANDS]) expect(guide).toContain(`${command}\n`);
});

test('it has a copy of cdi-core of its own', async () => {
  const file = join(project.folder, 'node_modules', '@cro', 'cdi-core', 'package.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ name: '@cro/cdi-core' });
});

describe('the bundled operator', () => {
  const [first, second] = ['the-first-token-of-acme', 'the-second-token-of-acme'] as const;

  test('takes a device through its whole life with it, and uses a Secret that is replaced meanwhile', async () => {
    const fabric = await loadFabric(project.folder, first);
    const world = await startWorld({
      ...{ clock: systemClock, random: Math.random, nodes: 2, model: MODEL, webhook: false },
      fabric: fabric.make,
      operatorEnv: { CDI_PROVIDER_TYPE: `npm:${NAME}`, CDI_PROVIDER_PATH: project.folder },
    });
    try {
      await world.put(secretWith(first));
      const running = world.startOperator();
      await world.untilOperatorLeads(WITHIN_MS);
      await world.client.create(requestKind, {
        metadata: { name: 'r' },
        spec: { resource: { type: 'gpu', model: MODEL, size: 1 } },
      });
      await untilOnline(world, 1);
      expect(fabric.attached()).toHaveLength(1);

      fabric.replaceToken(second);
      await world.put(secretWith(second));
      await world.client.patch(
        requestKind,
        { name: 'r' },
        { type: 'merge', value: { spec: { resource: { size: 2 } } } },
      );
      await untilOnline(world, 2);
      expect(fabric.attached()).toHaveLength(2);

      await world.client.delete(requestKind, { name: 'r' });
      await untilOnline(world, 0);
      expect(fabric.attached()).toEqual([]);
      world.fabric.assertPoolWhole();
      expect(await running.stop()).toMatchObject({ code: 0 });
      const log = await readFile(world.logPath, 'utf8');
      expect(log).toContain('everything has been read');
      for (const token of [first, second]) expect(log).not.toContain(token);
    } finally {
      await world.close();
    }
  });

  test('prints the roles that it needs besides', async () => {
    const { code, stdout } = await operator(await settings(project), '--print-rbac');
    expect(code).toBe(0);
    expect(stdout).toMatch(/kind: Role\n[\s\S]*resources:\n\s+- secrets\n\s+resourceNames:\n\s+- acme\n/);
    expect(stdout).not.toContain('kind: ClusterRole\n');
  });

  const line = /^composable-resource-operator: [^\n]+\n$/;
  test.each<[string, (bad: Bad) => Promise<Environment>, string]>([
    [
      'a name that is none',
      () => Promise.resolve({ CDI_PROVIDER_TYPE: 'npm:../acme' }),
      "CDI_PROVIDER_TYPE has an invalid value: 'npm:../acme'",
    ],
    [
      'a package that is not there',
      () => Promise.resolve({ CDI_PROVIDER_TYPE: 'npm:@acme/none' }),
      "provider package '@acme/none': not found; looked for in: ",
    ],
    ['a package that is not built', (bad) => bad.unbuilt(), 'dist/index.js does not exist: is it built?'],
    ['a package that is no ES module', (bad) => bad.manifest({ type: 'commonjs' }), 'is no ES module'],
    ['no default export', (bad) => bad.code('export const acme = 1;'), 'has no default export (it exports acme)'],
    ['another contract', (bad) => bad.replace('contract: 1', 'contract: 7'), 'it is made for contract 7, accepted: 1'],
    ['the name of a built-in provider', (bad) => bad.replace("'acme'", "'fti-fm'"), "it calls its provider 'fti-fm'"],
    [
      'a schema that is none',
      (bad) => bad.replace('reads: []', "configSchema: { type: 'objekt' }, reads: []"),
      'its configSchema cannot be used',
    ],
    ['code that throws', (bad) => bad.code("throw new Error('boom');"), 'failed: boom'],
    ['a dependency that is missing', (bad) => bad.code("import 'not-there';"), "Cannot find package 'not-there'"],
    [
      'a wrong configuration',
      (bad) => bad.config({ endpoint: 'x', token: SECRET }),
      'provider \'acme\': endpoint: found "x", it must match pattern',
    ],
    [
      'a secret in its configuration',
      (bad) => bad.config({ endpoint: 'https://x', token: first }),
      "provider 'acme': token: found a string, it must be the name and the key of a Secret",
    ],
    [
      'no configuration',
      () => Promise.resolve({ CDI_PROVIDER_CONFIG: '' }),
      "provider 'acme': the configuration: must have required property 'endpoint'",
    ],
  ])('refuses %s: exit code 2, one line', async (what, spoil, message) => {
    const env = await settings(project);
    const { code, stderr } = await operator({
      ...env,
      ...(await spoil(new Bad(project, what.replaceAll(/\W/g, '-')))),
    });
    expect(stderr).toMatch(line);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(first);
    expect(code).toBe(2);
  });
});

function secretWith(token: string): object {
  const data = { [SECRET.key]: Buffer.from(token).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: SECRET.name, namespace: NAMESPACE }, data };
}

/** Waits until this many devices are Online and nothing else is left; with none, the request has to be gone. */
async function untilOnline(world: SimWorld, count: number): Promise<void> {
  await until({
    clock: systemClock,
    what: `${count} devices are Online`,
    on: [(look) => world.resources.subscribe(look), (look) => world.requests.subscribe(look)],
    value: () => {
      const states = world.resources.list().map(({ status }) => status?.state);
      const request = world.requests.get('r')?.status?.state;
      const isSo = states.length === count && states.every((state) => state === 'Online');
      return isSo && request === (count === 0 ? undefined : 'Running') ? true : undefined;
    },
    standing: () => JSON.stringify(world.resources.list().map(({ status }) => status)),
    withinMs: WITHIN_MS,
    signal: world.trouble,
  });
}
