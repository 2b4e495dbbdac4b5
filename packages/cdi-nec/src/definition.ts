import { defineProvider, type ProviderDefinition } from '@cro/cdi-core';
import { configSchema, type NecConfig } from './config.ts';
import { createNec, NAME } from './provider.ts';

/** NEC's CDIM, open source or product (`CDI_PROVIDER_TYPE=NEC`). */
export const cdim: ProviderDefinition<NecConfig> = defineProvider<NecConfig>({
  contract: 1,
  name: NAME,
  configSchema,
  reads: [],
  create: createNec,
});
