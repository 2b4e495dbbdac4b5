import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parseCommonSettings, parseSettings } from '../../src/process/settings/parse-settings.ts';
import { settingsMarkdown } from '../../src/process/settings/settings-markdown.ts';

const GOOD = {
  DEVICE_RESOURCE_TYPE: 'DRA',
  CDI_PROVIDER_TYPE: 'FTI_CDI',
  FTI_CDI_API_TYPE: 'FM',
  FTI_CDI_ENDPOINT: 'fabric.example:8443/',
  FTI_CDI_TENANT_ID: 'tenant00-uuid-temp-0000-000000000000',
};

const PLUGIN = { DEVICE_RESOURCE_TYPE: 'DEVICE_PLUGIN', FTI_CDI_CLUSTER_ID: 'cluster0-uuid-temp-0000-000000000001' };

function problems(changes: Readonly<Record<string, string | undefined>>): readonly string[] {
  const outcome = parseSettings({ ...GOOD, ...changes });
  return outcome.tag === 'ok' ? [] : outcome.problems;
}

describe('settings that are right', () => {
  test.each([
    PLUGIN,
    { DEVICE_RESOURCE_TYPE: 'DEVICE_PLUGIN', CDI_PROVIDER_TYPE: 'SUNFISH', SUNFISH_ENDPOINT: 'sunfish.example:5060' },
  ])('a device plugin: %j', (changes) => {
    const outcome = parseSettings({ ...GOOD, ...changes });
    expect(outcome).toMatchObject({ tag: 'ok', settings: { deviceResourceType: 'DEVICE_PLUGIN' } });
  });

  test('the smallest environment gets the defaults', () => {
    expect(parseSettings(GOOD)).toEqual({
      tag: 'ok',
      settings: {
        provider: {
          name: 'fti-fm',
          config: {
            endpoint: 'fabric.example:8443',
            tenantId: 'tenant00-uuid-temp-0000-000000000000',
            credentials: {
              username: { name: 'credentials', key: 'username' },
              password: { name: 'credentials', key: 'password' },
              client_id: { name: 'credentials', key: 'client_id' },
              client_secret: { name: 'credentials', key: 'client_secret' },
              realm: { name: 'credentials', key: 'realm' },
            },
            settleSeconds: 240,
            readsAtOnce: 8,
          },
        },
        deviceResourceType: 'DRA',
        webhooks: true,
        nodeActions: 'nvidia',
        gpuOperatorNamespace: 'gpu-operator',
        draDriverNamespace: 'dra-driver-nvidia-gpu',
        draDrivers: ['gpu.nvidia.com'],
        publishWaitSeconds: 2,
        nodeCommandsAtOnce: 32,
        namespace: 'composable-resource-operator-system',
        webhook: {
          configuration: 'composable-resource-operator-validating-webhook-configuration',
          service: 'composable-resource-operator-webhook-service',
          names: [],
        },
        syncSeconds: 60,
        withoutFence: 'refuse',
        orphanGraceSeconds: 600,
        drain: 'false',
        stopSeconds: 10,
        logLevel: 'info',
      },
    });
  });

  test('the environment of a Go operator is taken as it is', () => {
    const ofGo = {
      ...GOOD,
      FTI_CDI_CLUSTER_ID: '',
      ENABLE_WEBHOOKS: 'false',
      NVIDIA_GPU_OPERATOR_NAMESPACE: '',
      // Those of other vendors may be set beside them.
      NEC_CDIM_IP: '10.0.0.1',
      LAYOUT_APPLY_PORT: '8013',
      CONFIGURATION_MANAGER_PORT: '8080',
      NEC_PROVISIONAL_GPU_UUID: 'GPU-00000000-0000-0000-0000-000000000000',
      SUNFISH_ENDPOINT: 'composition-service.cro-system.svc.cluster.local:5060',
    };
    expect(parseSettings(ofGo)).toMatchObject({
      tag: 'ok',
      settings: { webhooks: false, gpuOperatorNamespace: 'gpu-operator', drain: 'false' },
    });
  });

  test('the Cluster Manager of a cluster', () => {
    const clusterId = 'cluster0-uuid-temp-0000-000000000001';
    expect(parseSettings({ ...GOOD, FTI_CDI_API_TYPE: 'CM', FTI_CDI_CLUSTER_ID: clusterId })).toMatchObject({
      tag: 'ok',
      settings: { provider: { name: 'fti-cm', config: { endpoint: 'fabric.example:8443', clusterId } } },
    });
  });

  test('several DRA drivers', () => {
    expect(parseSettings({ ...GOOD, CRO_DRA_DRIVERS: 'gpu.nvidia.com, gpu.example.com' })).toMatchObject({
      tag: 'ok',
      settings: { draDrivers: ['gpu.nvidia.com', 'gpu.example.com'] },
    });
    expect(problems({ CRO_DRA_DRIVERS: 'gpu.nvidia.com,' })).toEqual([
      "the env variable CRO_DRA_DRIVERS has an invalid value: 'gpu.nvidia.com,'; accepted: names of drivers with commas between them",
    ]);
  });

  test.each(['true', 'once'])('CRO_DRAIN=%s', (drain) => {
    expect(parseSettings({ ...GOOD, CRO_DRAIN: drain })).toMatchObject({ tag: 'ok', settings: { drain } });
  });

  test('everything can be set', () => {
    const outcome = parseSettings({
      ...GOOD,
      FTI_CDI_CLUSTER_ID: 'cluster0-uuid-temp-0000-000000000001',
      CRO_SETTLE_SECONDS: '2',
      CRO_FABRIC_CA_FILE: '/ca/fabric.pem',
      SSL_CERT_FILE: '/ca/system.pem',
      ENABLE_WEBHOOKS: 'false',
      NVIDIA_GPU_OPERATOR_NAMESPACE: 'nvidia-gpu-operator',
      POD_NAMESPACE: 'here',
      POD_NAME: 'operator-0',
      CRO_SYNC_SECONDS: '5',
      CRO_ORPHAN_GRACE_SECONDS: '7',
      CRO_WITHOUT_FENCE: 'continue',
      CRO_STOP_SECONDS: '3',
      CRO_WEBHOOK_CONFIGURATION: 'hooks',
      CRO_WEBHOOK_SERVICE: 'hook',
      CRO_WEBHOOK_NAMES: '127.0.0.1, ::1',
      CRO_LOG_LEVEL: 'debug',
    });
    expect(outcome).toMatchObject({
      settings: {
        provider: {
          config: {
            clusterId: 'cluster0-uuid-temp-0000-000000000001',
            settleSeconds: 2,
            caFile: '/ca/fabric.pem',
          },
        },
        webhooks: false,
        gpuOperatorNamespace: 'nvidia-gpu-operator',
        namespace: 'here',
        podName: 'operator-0',
        syncSeconds: 5,
        withoutFence: 'continue',
        orphanGraceSeconds: 7,
        stopSeconds: 3,
        webhook: { configuration: 'hooks', service: 'hook', names: ['127.0.0.1', '::1'] },
        logLevel: 'debug',
        sslCertFile: '/ca/system.pem',
      },
    });
  });

  test('an empty variable counts as unset', () => {
    const empty = { NVIDIA_GPU_OPERATOR_NAMESPACE: '', FTI_CDI_CLUSTER_ID: '', CRO_SETTLE_SECONDS: '', POD_NAME: '' };
    expect(parseSettings({ ...GOOD, ...empty })).toEqual(parseSettings(GOOD));
  });

  test.each(['fabric', 'fabric.example', '10.0.0.1:443', '[::1]:8443', 'fabric.example/'])(
    'endpoint %s',
    (endpoint) => {
      expect(problems({ FTI_CDI_ENDPOINT: endpoint })).toEqual([]);
    },
  );
});

describe('settings that are wrong', () => {
  test.each([
    ['CDI_PROVIDER_TYPE', 'ERROR'],
    ['CDI_PROVIDER_TYPE', 'npm:'],
    ['CDI_PROVIDER_TYPE', 'npm:../../etc/passwd'],
    ['CDI_PROVIDER_TYPE', 'npm:https://example.com/x.tgz'],
    ['CDI_PROVIDER_TYPE', 'npm:@acme/cdi-acme@1.0.0'],
    ['CDI_PROVIDER_TYPE', 'npm:node:fs'],
    ['FTI_CDI_API_TYPE', 'ERROR'],
    ['DEVICE_RESOURCE_TYPE', 'ERROR'],
    ['CDI_PROVIDER_TYPE', ''],
    ['FTI_CDI_TENANT_ID', 'not-a-uuid'],
    ['FTI_CDI_TENANT_ID', ''],
    ['FTI_CDI_CLUSTER_ID', '../../etc'],
    ['CRO_SETTLE_SECONDS', '0'],
    ['CRO_SETTLE_SECONDS', '1.5'],
    ['CRO_SETTLE_SECONDS', '1e3'],
    ['CRO_SYNC_SECONDS', '-1'],
    ['CRO_LOG_LEVEL', 'verbose'],
    ['CRO_WEBHOOK_NAMES', 'a,,b'],
    ['POD_NAMESPACE', 'Not_A_Namespace'],
  ])('%s=%j has one line, in the words of the Go operator', (name, value) => {
    const found = problems({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^the env variable ${name} has an invalid value: '`));
    expect(found[0]).toContain(`: '${value}'; accepted: `);
  });

  test.each([
    'https://fabric',
    'fabric/api',
    'user:secret@fabric',
    'fabric:99999',
    'fabric?x',
    'fa bric',
    'fabric\\evil',
    'fab\tric',
    '999.999.999.999',
    ':443',
  ])('endpoint %j is refused', (endpoint) => {
    expect(problems({ FTI_CDI_ENDPOINT: endpoint })).toHaveLength(1);
  });

  test.each([
    [
      { FTI_CDI_API_TYPE: 'CM' },
      "the env variable FTI_CDI_CLUSTER_ID has an invalid value: ''; accepted: a UUID, or nothing with FM",
    ],
    [{ DEVICE_RESOURCE_TYPE: 'DEVICE_PLUGIN' }, 'The cluster in RKE2 does not support DEVICE_PLUGIN, please use DRA'],
    [
      { ...PLUGIN, CRO_NODE_ACTIONS: 'none' },
      "the env variable CRO_NODE_ACTIONS is 'none'; with DEVICE_RESOURCE_TYPE=DEVICE_PLUGIN accepted: nvidia",
    ],
    [
      { ...PLUGIN, CRO_MEMORY_SLICE_ATTRIBUTE: 'cxl.example.com/gcxlid' },
      'the env variable CRO_MEMORY_SLICE_ATTRIBUTE is set; with DEVICE_RESOURCE_TYPE=DEVICE_PLUGIN accepted: nothing',
    ],
  ])('%j is refused in one line', (changes, line) => {
    expect(problems(changes)).toEqual([line]);
  });

  test('every problem is told, in the order of the checks', () => {
    const found = problems({
      CRO_LOG_LEVEL: 'x',
      FTI_CDI_API_TYPE: 'x',
      DEVICE_RESOURCE_TYPE: 'x',
      FTI_CDI_ENDPOINT: '',
    });
    expect(found.map((line) => line.split(' ')[3])).toEqual([
      'DEVICE_RESOURCE_TYPE',
      'FTI_CDI_API_TYPE',
      'FTI_CDI_ENDPOINT',
      'CRO_LOG_LEVEL',
    ]);
  });

  test('whatever stands in a variable, a problem is one line', () => {
    const names = fc.constantFrom(
      'CDI_PROVIDER_TYPE',
      'FTI_CDI_ENDPOINT',
      'FTI_CDI_TENANT_ID',
      'CRO_SYNC_SECONDS',
      'POD_NAME',
    );
    fc.assert(
      fc.property(names, fc.string({ unit: 'binary' }), (name, value) => {
        for (const line of problems({ [name]: value })) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});

test('the admission server alone needs no fabric', () => {
  expect(parseCommonSettings({ CRO_LOG_LEVEL: 'warn' })).toMatchObject({
    tag: 'ok',
    settings: { logLevel: 'warn', namespace: 'composable-resource-operator-system' },
  });
  expect(parseCommonSettings({ CRO_LOG_LEVEL: 'x' })).toMatchObject({ tag: 'invalid' });
});

test('docs/settings.md is what the declarations say', async () => {
  const page = await readFile(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  expect(page, 'docs/settings.md is stale: npm run generate').toBe(settingsMarkdown());
});
