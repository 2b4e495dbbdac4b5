import { cleanText, type Health } from '@cro/cdi-core';
import type { Resource } from './wire.ts';

/** `res_op_status` in words: its first character is 0 ok, 1 warning, 2 critical. Texts as in the Go operator. */
export function healthOf(resource: Resource, machine: string): Health {
  const status = String(resource.res_op_status ?? '').trim();
  const device = `the target ${cleanText(resource.res_type)} '${resource.res_serial_num || resource.res_uuid}'`;
  switch (status.at(0)) {
    case '0':
      return { level: 'ok' };
    case '1':
      return { level: 'warning', message: `${device} is showing a Warning status in FM` };
    case '2':
      return { level: 'critical', message: `${device} is showing a Critical status in FM` };
    case undefined:
      return { level: 'unknown', message: `${device} on machine '${machine}' has empty status in FM` };
    default:
      return { level: 'unknown', message: `${device} has unknown status '${cleanText(status, 32)}' in FM` };
  }
}
