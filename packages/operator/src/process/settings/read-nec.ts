import type { NecConfig } from '@cro/cdi-nec';
import type { EnvReader } from './env-reader.ts';
import type { ProviderSettings } from './settings.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

/** How long an apply of unclear end may still take effect, or be shown: longer than hw-control's calls and repetitions. */
const SETTLE_SECONDS = 600;

/** Reads what NEC's CDIM needs. */
export function readNec(reader: EnvReader): ProviderSettings | undefined {
  const ip = reader.optional(VARIABLES.necIp);
  const layoutApply = baseOf(reader, VARIABLES.necLayoutApplyUrl, ip, VARIABLES.necLayoutApplyPort);
  const configurationManager = baseOf(
    reader,
    VARIABLES.necConfigurationManagerUrl,
    ip,
    VARIABLES.necConfigurationManagerPort,
  );
  const config: Omit<NecConfig, 'layoutApply' | 'configurationManager'> = {
    ...given('hwControl', reader.optional(VARIABLES.necHwControlUrl)),
    ...given('exporter', reader.optional(VARIABLES.necExporterUrl)),
    ...given('token', reader.optional(VARIABLES.necTokenSecret)),
    ...given('caFile', reader.optional(VARIABLES.fabricCaFile)),
    dialect: reader.optional(VARIABLES.necDialect) ?? 'auto',
    ...given('resourceGroups', reader.optional(VARIABLES.necResourceGroups)),
    ...given('nodes', reader.optional(VARIABLES.necNodes)),
    viewLagSeconds: reader.defaulted(VARIABLES.necViewLagSeconds),
    stuckSeconds: reader.defaulted(VARIABLES.necStuckSeconds),
    cancelStuck: reader.defaulted(VARIABLES.necCancelStuck) === 'true',
    ...given('provisionalGpuUuid', reader.optional(VARIABLES.necProvisionalGpuUuid)),
    settleSeconds: reader.optional(VARIABLES.settleSeconds) ?? SETTLE_SECONDS,
  };
  if (layoutApply === undefined || configurationManager === undefined) return undefined;
  return { name: 'nec-cdim', config: { layoutApply, configurationManager, ...config } };
}

/** The URL, else what the Go operator makes of an address and a port. */
function baseOf(
  reader: EnvReader,
  url: Variable<string>,
  ip: string | undefined,
  port: Variable<string>,
): string | undefined {
  const given = reader.optional(url);
  if (given !== undefined) return given;
  if (ip === undefined) {
    reader.complain(`neither the env variable ${url.name} is set nor NEC_CDIM_IP and ${port.name}: set one of them`);
    return undefined;
  }
  const number = reader.required(port);
  return number === undefined ? undefined : `http://${ip}:${number}/cdim/api/v1`;
}

function given<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  const found: Partial<Record<K, T>> = {};
  if (value !== undefined) found[key] = value;
  return found;
}
