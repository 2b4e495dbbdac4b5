import { cleanText, type Health } from '@cro/cdi-core';
import type { Status } from '../redfish/wire.ts';

/** `Status` in words: the worst of `Health` and `HealthRollup`. A state other than Enabled is no failure by itself. */
export function healthOf(what: string, ...statuses: readonly (Status | undefined)[]): Health {
  const words = statuses
    .flatMap((status) => [status?.Health, status?.HealthRollup])
    .filter((word) => word !== undefined);
  const device = `the target ${what}`;
  if (words.includes('Critical'))
    return { level: 'critical', message: `${device} is showing a Critical status in Redfish` };
  if (words.includes('Warning'))
    return { level: 'warning', message: `${device} is showing a Warning status in Redfish` };
  const [other] = words.filter((word) => word !== 'OK');
  if (other !== undefined) {
    return { level: 'unknown', message: `${device} has unknown status '${cleanText(other, 32)}' in Redfish` };
  }
  if (words.length === 0) return { level: 'unknown', message: `${device} has empty status in Redfish` };
  return { level: 'ok' };
}
