import { envReader, type Env, type EnvReader } from './env-reader.ts';
import { readFti } from './read-fti.ts';
import { readNec } from './read-nec.ts';
import { readPackage } from './read-package.ts';
import { readSunfish } from './read-sunfish.ts';
import type {
  CommonSettings,
  DeviceResourceType,
  ParsedSettings,
  ProviderSettings,
  Settings,
  SettingsOutcome,
} from './settings.ts';
import { VARIABLES } from './variables.ts';

/**
 * Reads every variable in the Go operator's order of checks: DEVICE_RESOURCE_TYPE, CDI_PROVIDER_TYPE, then the
 * vendor's, then the rest. All problems are told at once, one line each.
 */
export function parseSettings(env: Env): SettingsOutcome {
  const reader = envReader(env);
  const deviceResourceType = readDeviceResourceType(reader, env);
  const provider = readProvider(reader);
  const sslCertFile = reader.optional(VARIABLES.sslCertFile);
  const memory = reader.optional(VARIABLES.memorySliceAttribute);
  const rest = {
    webhooks: reader.defaulted(VARIABLES.enableWebhooks),
    nodeActions: reader.defaulted(VARIABLES.nodeActions),
    gpuOperatorNamespace: reader.defaulted(VARIABLES.gpuOperatorNamespace),
    draDriverNamespace: reader.defaulted(VARIABLES.draDriverNamespace),
    draDrivers: reader.defaulted(VARIABLES.draDrivers),
    publishWaitSeconds: reader.defaulted(VARIABLES.publishWaitSeconds),
    nodeCommandsAtOnce: reader.defaulted(VARIABLES.nodeCommandsAtOnce),
    withoutFence: reader.defaulted(VARIABLES.withoutFence),
    syncSeconds: reader.defaulted(VARIABLES.syncSeconds),
    orphanGraceSeconds: reader.defaulted(VARIABLES.orphanGraceSeconds),
    drain: reader.defaulted(VARIABLES.drain),
    ...(sslCertFile === undefined ? {} : { sslCertFile }),
    ...(memory === undefined ? {} : { memory }),
    ...readCommon(reader),
  };
  if (deviceResourceType === 'DEVICE_PLUGIN') checkDevicePlugin(reader, rest);
  if (deviceResourceType === undefined || provider === undefined || reader.problems.length > 0) {
    return { tag: 'invalid', problems: reader.problems };
  }
  return { tag: 'ok', settings: { provider, deviceResourceType, ...rest } };
}

/** Reads what the admission server needs when it runs alone. */
export function parseCommonSettings(env: Env): ParsedSettings<CommonSettings> {
  const reader = envReader(env);
  const settings = readCommon(reader);
  return reader.problems.length > 0 ? { tag: 'invalid', problems: reader.problems } : { tag: 'ok', settings };
}

function readCommon(reader: EnvReader): CommonSettings {
  const podName = reader.optional(VARIABLES.podName);
  return {
    namespace: reader.defaulted(VARIABLES.namespace),
    ...(podName === undefined ? {} : { podName }),
    webhook: {
      configuration: reader.defaulted(VARIABLES.webhookConfiguration),
      service: reader.defaulted(VARIABLES.webhookService),
      names: reader.optional(VARIABLES.webhookNames) ?? [],
    },
    stopSeconds: reader.defaulted(VARIABLES.stopSeconds),
    logLevel: reader.defaulted(VARIABLES.logLevel),
  };
}

function readDeviceResourceType(reader: EnvReader, env: Env): DeviceResourceType | undefined {
  const type = reader.required(VARIABLES.deviceResourceType);
  const onRke2 = env['CDI_PROVIDER_TYPE'] === 'FTI_CDI' && (env['FTI_CDI_CLUSTER_ID'] ?? '') === '';
  if (type !== 'DEVICE_PLUGIN' || !onRke2) return type;
  reader.complain('The cluster in RKE2 does not support DEVICE_PLUGIN, please use DRA');
  return undefined;
}

/** No object of the cluster says what a device plugin offers, so that without commands nobody ever knows. */
function checkDevicePlugin(reader: EnvReader, { nodeActions, memory }: Pick<Settings, 'nodeActions' | 'memory'>): void {
  const only = (name: string, found: string, accepted: string) =>
    `the env variable ${name} ${found}; with DEVICE_RESOURCE_TYPE=DEVICE_PLUGIN accepted: ${accepted}`;
  if (nodeActions === 'none') reader.complain(only(VARIABLES.nodeActions.name, "is 'none'", 'nvidia'));
  // ResourceSlices are not looked at.
  if (memory !== undefined) reader.complain(only(VARIABLES.memorySliceAttribute.name, 'is set', 'nothing'));
}

function readProvider(reader: EnvReader): ProviderSettings | undefined {
  const type = reader.required(VARIABLES.providerType);
  switch (type?.tag) {
    case undefined:
      return undefined;
    case 'npm':
      return readPackage(reader, type.name);
    case 'NEC':
      return readNec(reader);
    case 'SUNFISH':
      return readSunfish(reader);
    case 'FTI_CDI':
      return readFti(reader);
    default:
      return type satisfies never;
  }
}
