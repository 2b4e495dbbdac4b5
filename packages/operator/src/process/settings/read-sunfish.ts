import type { SunfishConfig } from '@cro/cdi-sunfish';
import { credential } from './credential.ts';
import type { EnvReader } from './env-reader.ts';
import type { ProviderSettings } from './settings.ts';
import { VARIABLES } from './variables.ts';

/** How long a lost call may still take effect, in seconds: changes name their device, and answer soon. */
const SETTLE_SECONDS = 60;

/** Reads what a Redfish service or a Sunfish server needs. */
export function readSunfish(reader: EnvReader): ProviderSettings | undefined {
  const endpoint = reader.defaulted(VARIABLES.sunfishEndpoint);
  const auth = reader.defaulted(VARIABLES.sunfishAuth);
  const caFile = reader.optional(VARIABLES.fabricCaFile);
  if (auth !== 'none' && !endpoint.startsWith('https://')) {
    reader.complain(
      `the env variable CRO_SUNFISH_AUTH is '${auth}', which sends credentials, and SUNFISH_ENDPOINT is not https: set it to https://host[:port]`,
    );
    return undefined;
  }
  const config: SunfishConfig = {
    endpoint,
    auth,
    ...(auth === 'none' ? {} : { credentials: credentialsFor(auth) }),
    ...(caFile === undefined ? {} : { caFile }),
    attachMethod: reader.defaulted(VARIABLES.sunfishAttachMethod),
    memoryModels: reader.optional(VARIABLES.sunfishMemoryModels) ?? {},
    settleSeconds: reader.optional(VARIABLES.settleSeconds) ?? SETTLE_SECONDS,
  };
  return { name: 'sunfish', config };
}

function credentialsFor(auth: 'basic' | 'session' | 'bearer'): NonNullable<SunfishConfig['credentials']> {
  if (auth === 'bearer') return { token: credential('token') };
  return { username: credential('username'), password: credential('password') };
}
