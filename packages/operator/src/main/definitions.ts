import type { ProviderDefinition } from '@cro/cdi-core';
import { clusterManager, fabricManager } from '@cro/cdi-fti';
import { cdim } from '@cro/cdi-nec';
import { sunfish } from '@cro/cdi-sunfish';
import type { BuiltInSettings } from '../process/index.ts';

/** The providers that are built in, by the name that the settings give them. */
const DEFINITIONS: Readonly<Record<BuiltInSettings['name'], ProviderDefinition>> = {
  'fti-fm': fabricManager,
  'fti-cm': clusterManager,
  'nec-cdim': cdim,
  sunfish,
};

/** All providers that are built in. */
export const builtIn: readonly ProviderDefinition[] = Object.values(DEFINITIONS);

/** A provider that is built in. */
export function definitionOf(name: BuiltInSettings['name']): ProviderDefinition {
  return DEFINITIONS[name];
}
