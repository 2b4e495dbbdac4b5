import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@cro/clock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadAll } from 'js-yaml';
import { DEPLOYED, operatorAccess } from '../../src/access.ts';
import { extraRoles } from '../../src/rbac/extra-roles.ts';
import { chooseProvider, httpFor } from '../../src/main/provider.ts';
import { parseSettings } from '../../src/process/settings/parse-settings.ts';

const CODE = `export default {
  contract: 1,
  name: 'acme',
  configSchema: {
    type: 'object',
    required: ['endpoint'],
    additionalProperties: false,
    properties: { endpoint: { type: 'string', pattern: '^https://' }, token: { 'x-cro-secret': true } },
  },
  reads: [],
  readsFor: ({ endpoint }) =>
    [{ group: new URL(endpoint).hostname, version: 'v1', kind: 'Rack', plural: 'racks', namespaced: false }],
  create() {},
};`;

const GOOD = 'endpoint: https://fabric.example\ntoken:\n  name: acme\n  key: token\n';

/** The settings with a package in a folder of its own, and with a file of configuration. */
async function settingsWith(config: string | undefined, file = 'provider.yaml') {
  const path = await mkdtemp(join(tmpdir(), 'cro-provider-'));
  onTestFinished(() => rm(path, { recursive: true }));
  const folder = join(path, 'node_modules', '@acme', 'cdi-acme');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  await writeFile(join(folder, 'index.js'), CODE);
  const configFile = join(path, file);
  if (config !== undefined) await writeFile(configFile, config);
  const parsed = parseSettings({
    DEVICE_RESOURCE_TYPE: 'DRA',
    CDI_PROVIDER_TYPE: 'npm:@acme/cdi-acme',
    CDI_PROVIDER_PATH: path,
    ...(file === '' ? {} : { CDI_PROVIDER_CONFIG: configFile }),
  });
  if (parsed.tag !== 'ok') throw new Error(parsed.problems.join('\n'));
  return { provider: parsed.settings.provider, path };
}

async function choose(config: string | undefined, file?: string) {
  const { provider, path } = await settingsWith(config, file);
  const chosen = await chooseProvider(provider, { program: '/nowhere', clock: systemClock });
  return chosen.tag === 'invalid' ? chosen.problem.replaceAll(path, '<path>') : chosen;
}

describe('a provider that comes as a package', () => {
  test.each([
    ['YAML', GOOD],
    ['JSON', '{ "endpoint": "https://fabric.example", "token": { "name": "acme", "key": "token" } }'],
  ])('is configured in %s, and tells what it reads', async (_, config) => {
    expect(await choose(config)).toMatchObject({
      tag: 'ok',
      loaded: { reads: [{ group: 'fabric.example', plural: 'racks' }], secrets: [{ name: 'acme', key: 'token' }] },
    });
  });

  test.each<[string, string | undefined, string]>([
    [
      'a wrong field',
      GOOD.replace('https', 'ftp'),
      `provider 'acme': endpoint: found "ftp://fabric.example", it must match pattern "^https://"`,
    ],
    ['an unknown field', `${GOOD}more: 1\n`, "provider 'acme': the configuration: unknown field 'more'"],
    ['nothing in it', '', "provider 'acme': the configuration: must have required property 'endpoint'"],
    ['a list', '- 1\n', "provider 'acme': the configuration: found a list, it must be object"],
    ['no file', undefined, "the env variable CDI_PROVIDER_CONFIG names '<path>/provider.yaml': ENOENT"],
    [
      'a file that is no YAML',
      'endpoint: {\n',
      "the env variable CDI_PROVIDER_CONFIG names '<path>/provider.yaml': it is no YAML: ",
    ],
    ['two documents', `${GOOD}---\n${GOOD}`, 'it holds more than one document'],
    ['a field twice', `${GOOD}endpoint: https://other.example\n`, 'it is no YAML: duplicated mapping key in line 5'],
  ])('with %s in its configuration is refused in one line', async (_, config, problem) => {
    const told = await choose(config);
    expect(told).toEqual(expect.stringContaining(problem));
    expect(told).not.toMatch(/\n/);
  });

  test('a secret in its configuration is refused, and not quoted', async () => {
    const told = await choose('endpoint: https://fabric.example\ntoken: hunter2\n');
    expect(told).toEqual(
      expect.stringMatching(/^provider 'acme': token: found a string, it must be the name and the key/),
    );
    expect(JSON.stringify(told)).not.toContain('hunter2');
  });

  test('without a file its configuration is empty', async () => {
    expect(await choose(undefined, '')).toBe(
      "provider 'acme': the configuration: must have required property 'endpoint'",
    );
  });

  test('trusts the CAs of CRO_FABRIC_CA_FILE, unless it says otherwise itself', async () => {
    const { provider } = await settingsWith(GOOD);
    const sent: (string | undefined)[] = [];
    const http = {
      send: ({ caFile }: { readonly caFile?: string }) => {
        sent.push(caFile);
        return Promise.reject(new Error('no network here'));
      },
    };
    const request = { method: 'GET', url: 'https://fabric.example' } as const;
    const { signal } = new AbortController();
    const trusting = provider.name === 'npm' ? httpFor({ ...provider, caFile: '/ca.pem' }, http) : http;
    await expect(trusting.send(request, signal)).rejects.toThrow('no network');
    await expect(trusting.send({ ...request, caFile: '/own.pem' }, signal)).rejects.toThrow('no network');
    await expect(httpFor(provider, http).send(request, signal)).rejects.toThrow('no network');
    expect(sent).toEqual(['/ca.pem', '/own.pem', undefined]);
  });
});

test('the roles beyond deploy/rbac are printed: what the provider reads, and the Secrets of its configuration, by name', async () => {
  const chosen = await choose(GOOD);
  if (typeof chosen === 'string') throw new Error(chosen);
  const { nodeActions } = DEPLOYED;
  const asked = operatorAccess({ namespace: 'cro', reads: chosen.loaded.reads, secrets: ['acme'], nodeActions });
  const [clusterRole, , role, binding] = loadAll(extraRoles(asked, 'cro'));
  expect(clusterRole).toMatchObject({
    kind: 'ClusterRole',
    rules: [{ apiGroups: ['fabric.example'], resources: ['racks'], verbs: ['list', 'watch'] }],
  });
  expect(role).toMatchObject({
    kind: 'Role',
    metadata: { namespace: 'cro' },
    rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['acme'], verbs: ['list', 'watch'] }],
  });
  expect(binding).toMatchObject({
    subjects: [{ name: 'composable-resource-operator-controller-manager', namespace: 'cro' }],
  });
  const deployed = operatorAccess({ namespace: 'cro', reads: [], secrets: ['credentials'], nodeActions });
  expect(extraRoles(deployed, 'cro')).toBe('# deploy/rbac grants everything that these settings need.\n');
  const elsewhere = operatorAccess({
    namespace: 'cro',
    reads: [],
    secrets: [],
    nodeActions: { ...nodeActions, gpuOperatorNamespace: 'nvidia' },
  });
  expect(loadAll(extraRoles(elsewhere, 'cro'))).toMatchObject([
    {
      kind: 'Role',
      metadata: { namespace: 'nvidia' },
      rules: [{ resources: ['pods/exec'], verbs: ['get', 'create'] }],
    },
    { kind: 'RoleBinding', metadata: { namespace: 'nvidia' } },
  ]);
});
