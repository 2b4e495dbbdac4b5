import { loadProvider } from '@cro/cdi-core';
import { cdim } from '@cro/cdi-nec';
import { describe, expect, test } from 'vitest';
import { definitionOf } from '../../src/main/definitions.ts';
import { parseSettings } from '../../src/process/settings/parse-settings.ts';

const GO = {
  DEVICE_RESOURCE_TYPE: 'DRA',
  CDI_PROVIDER_TYPE: 'NEC',
  NEC_CDIM_IP: '10.0.0.7',
  LAYOUT_APPLY_PORT: '8013',
  CONFIGURATION_MANAGER_PORT: '8280',
};

function providerBy(changes: Readonly<Record<string, string>>) {
  const outcome = parseSettings({ ...GO, ...changes });
  return outcome.tag === 'ok' ? outcome.settings.provider : outcome.problems;
}

describe('settings of NEC', () => {
  test("the Go operator's variables are enough", () => {
    expect(providerBy({})).toEqual({
      name: 'nec-cdim',
      config: {
        layoutApply: 'http://10.0.0.7:8013/cdim/api/v1',
        configurationManager: 'http://10.0.0.7:8280/cdim/api/v1',
        dialect: 'auto',
        viewLagSeconds: 600,
        stuckSeconds: 1_800,
        cancelStuck: false,
        settleSeconds: 600,
      },
    });
  });

  test('everything can be set, and the provider takes it', () => {
    const provider = providerBy({
      CRO_NEC_LAYOUT_APPLY_URL: 'https://gateway:8014/cdim/api/v1/layout-apply',
      CRO_NEC_CONFIGURATION_MANAGER_URL: 'https://gateway:8014/cdim/api/v1/configuration-manager/',
      CRO_NEC_HW_CONTROL_URL: 'http://[fd00::1]:8000/cdim/api/v1',
      CRO_NEC_EXPORTER_URL: 'http://exporter/cdim/api/v1',
      CRO_NEC_TOKEN_SECRET: 'cdim-token/access.token',
      CRO_NEC_DIALECT: 'product',
      CRO_NEC_RESOURCE_GROUPS: 'group-a, group-b',
      CRO_NEC_NODES: 'worker-0=cpu-0,worker-1=cpu-1',
      CRO_NEC_STUCK_SECONDS: '60',
      CRO_NEC_CANCEL_STUCK: 'true',
      CRO_NEC_VIEW_LAG_SECONDS: '90',
      NEC_PROVISIONAL_GPU_UUID: 'GPU-1',
      CRO_FABRIC_CA_FILE: '/ca/cdim.pem',
      CRO_SETTLE_SECONDS: '30',
    });
    expect(provider).toEqual({
      name: 'nec-cdim',
      config: {
        layoutApply: 'https://gateway:8014/cdim/api/v1/layout-apply',
        configurationManager: 'https://gateway:8014/cdim/api/v1/configuration-manager/',
        hwControl: 'http://[fd00::1]:8000/cdim/api/v1',
        exporter: 'http://exporter/cdim/api/v1',
        token: { name: 'cdim-token', key: 'access.token' },
        caFile: '/ca/cdim.pem',
        dialect: 'product',
        resourceGroups: ['group-a', 'group-b'],
        nodes: { 'worker-0': 'cpu-0', 'worker-1': 'cpu-1' },
        viewLagSeconds: 90,
        stuckSeconds: 60,
        cancelStuck: true,
        provisionalGpuUuid: 'GPU-1',
        settleSeconds: 30,
      },
    });
    if (!('name' in provider) || provider.name === 'npm') throw new Error('there is no such provider');
    expect(definitionOf(provider.name)).toBe(cdim);
    expect(loadProvider(cdim, provider.config).tag).toBe('loaded');
  });

  test.each([
    ['NEC_CDIM_IP', '10.0.0.7/x'],
    ['LAYOUT_APPLY_PORT', 'http'],
    ['CRO_NEC_LAYOUT_APPLY_URL', 'gateway:8014'],
    ['CRO_NEC_TOKEN_SECRET', 'the-token-itself'],
    ['CRO_NEC_NODES', 'worker-0'],
    ['CRO_NEC_DIALECT', 'nec'],
    ['CRO_NEC_CANCEL_STUCK', 'yes'],
    ['NEC_PROVISIONAL_GPU_UUID', 'a b'],
  ])('%s=%j is told', (name, value) => {
    expect(JSON.stringify(providerBy({ [name]: value }))).toContain(
      `the env variable ${name} has an invalid value: '${value}'; accepted: `,
    );
  });

  test('no address at all is told for each service', () => {
    expect(providerBy({ NEC_CDIM_IP: '' })).toEqual([
      'neither the env variable CRO_NEC_LAYOUT_APPLY_URL is set nor NEC_CDIM_IP and LAYOUT_APPLY_PORT: set one of them',
      'neither the env variable CRO_NEC_CONFIGURATION_MANAGER_URL is set nor NEC_CDIM_IP and CONFIGURATION_MANAGER_PORT: set one of them',
    ]);
  });
});
