import { cleanText, type Health } from '@cro/cdi-core';

/** What a manager says of a device's health, and what to call the device. */
export interface Reported {
  /** `FM`. */
  readonly manager: string;
  readonly type: string;
  /** What people know the device by. */
  readonly id: string;
  readonly machine: string;
  readonly opStatus: string | number | undefined;
}

/** `res_op_status` in words: its first character is 0 ok, 1 warning, 2 critical. Texts as in the Go operator. */
export function healthOf({ manager, type, id, machine, opStatus }: Reported): Health {
  const status = String(opStatus ?? '').trim();
  const device = `the target ${cleanText(type)} '${id}'`;
  switch (status.at(0)) {
    case '0':
      return { level: 'ok' };
    case '1':
      return { level: 'warning', message: `${device} is showing a Warning status in ${manager}` };
    case '2':
      return { level: 'critical', message: `${device} is showing a Critical status in ${manager}` };
    case undefined:
      return { level: 'unknown', message: `${device} on machine '${machine}' has empty status in ${manager}` };
    default:
      return { level: 'unknown', message: `${device} has unknown status '${cleanText(status, 32)}' in ${manager}` };
  }
}
