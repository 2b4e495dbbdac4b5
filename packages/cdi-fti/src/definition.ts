import { defineProvider, type ProviderDefinition } from '@cro/cdi-core';
import { createCm } from './cm/provider.ts';
import { cmConfigSchema, configSchema, type CmConfig, type FtiConfig } from './config.ts';
import { createFm } from './fm/provider.ts';
import { BARE_METAL_HOST, METAL3_MACHINE, OPENSHIFT_MACHINE } from './kinds.ts';

const reads = [METAL3_MACHINE, BARE_METAL_HOST];

/** The Fabric Manager of Fujitsu/Fsas CDI (`CDI_PROVIDER_TYPE=FTI_CDI`, `FTI_CDI_API_TYPE=FM`). */
export const fabricManager: ProviderDefinition<FtiConfig> = defineProvider<FtiConfig>({
  contract: 1,
  name: 'fti-fm',
  configSchema,
  reads,
  readsFor: (config) => (config.clusterId === undefined ? [] : reads),
  create: createFm,
});

/** The Cluster Manager of Fujitsu/Fsas CDI (`CDI_PROVIDER_TYPE=FTI_CDI`, `FTI_CDI_API_TYPE=CM`). */
export const clusterManager: ProviderDefinition<CmConfig> = defineProvider<CmConfig>({
  contract: 1,
  name: 'fti-cm',
  configSchema: cmConfigSchema,
  reads: [OPENSHIFT_MACHINE, BARE_METAL_HOST],
  create: createCm,
});
