import type { FtiConfig } from '@cro/cdi-fti';
import { credential } from './credential.ts';
import type { EnvReader } from './env-reader.ts';
import type { ProviderSettings } from './settings.ts';
import { VARIABLES } from './variables.ts';

/** Reads what a Fabric Manager or a Cluster Manager needs. */
export function readFti(reader: EnvReader): ProviderSettings | undefined {
  const api = reader.required(VARIABLES.ftiApiType);
  const endpoint = reader.required(VARIABLES.ftiEndpoint);
  const tenantId = reader.required(VARIABLES.ftiTenantId);
  // The Cluster Manager is asked about a machine of a cluster, so there is no call without one.
  const clusterId = api === 'CM' ? reader.required(VARIABLES.ftiClusterId) : reader.optional(VARIABLES.ftiClusterId);
  const caFile = reader.optional(VARIABLES.fabricCaFile);
  const settleSeconds = reader.defaulted(VARIABLES.settleSeconds);
  const readsAtOnce = reader.defaulted(VARIABLES.ftiReadsAtOnce);
  if (endpoint === undefined || tenantId === undefined) return undefined;
  const config: FtiConfig = {
    endpoint,
    tenantId,
    credentials: {
      username: credential('username'),
      password: credential('password'),
      client_id: credential('client_id'),
      client_secret: credential('client_secret'),
      realm: credential('realm'),
    },
    ...(caFile === undefined ? {} : { caFile }),
    settleSeconds,
    readsAtOnce,
  };
  if (api === 'CM') return clusterId === undefined ? undefined : { name: 'fti-cm', config: { ...config, clusterId } };
  return { name: 'fti-fm', config: { ...config, ...(clusterId === undefined ? {} : { clusterId }) } };
}
