import { defineProvider, type ProviderDefinition } from '@cro/cdi-core';
import { configSchema, type SunfishConfig } from './config.ts';
import { createSunfish } from './provider.ts';

/** A Redfish composition service, or the Sunfish reference server (`CDI_PROVIDER_TYPE=SUNFISH`). */
export const sunfish: ProviderDefinition<SunfishConfig> = defineProvider<SunfishConfig>({
  contract: 1,
  name: 'sunfish',
  configSchema,
  reads: [],
  create: createSunfish,
});
