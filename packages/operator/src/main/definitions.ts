import type { ProviderDefinition } from '@cro/cdi-core';
import { clusterManager, fabricManager } from '@cro/cdi-fti';
import { cdim } from '@cro/cdi-nec';
import { sunfish } from '@cro/cdi-sunfish';
import type { Settings } from '../process/index.ts';

/** The providers that are built in. */
export function definitionOf(name: Settings['provider']['name']): ProviderDefinition {
  switch (name) {
    case 'fti-fm':
      return fabricManager;
    case 'fti-cm':
      return clusterManager;
    case 'nec-cdim':
      return cdim;
    case 'sunfish':
      return sunfish;
    default:
      return name satisfies never;
  }
}
