import type { EnvReader } from './env-reader.ts';
import type { PackageSettings } from './settings.ts';
import { VARIABLES } from './variables.ts';

/** Reads where a provider's package is and how it is configured. */
export function readPackage(reader: EnvReader, packageName: string): PackageSettings {
  const path = reader.optional(VARIABLES.providerPath);
  const configFile = reader.optional(VARIABLES.providerConfig);
  const caFile = reader.optional(VARIABLES.fabricCaFile);
  return {
    name: 'npm',
    packageName,
    ...(path !== undefined && { path }),
    ...(configFile !== undefined && { configFile }),
    ...(caFile !== undefined && { caFile }),
  };
}
