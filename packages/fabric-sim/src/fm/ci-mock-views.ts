import type { Device } from '../pool/device.ts';
import { deviceView } from './views.ts';

/** A machine as the mock lists it, and answers a change of it. */
export function mockMachine(machUuid: string, devices: readonly Device[]) {
  const resources = devices.map((device) => ({ ...deviceView(device), res_name: 'dummy', res_status: 4 }));
  const names = { mach_uuid: machUuid, mach_id: 1, mach_name: 'dummy', mach_owner: 'dummy' };
  return { fabric_uuid: 'dummy', fabric_id: 1, ...names, resources };
}

/** A machine as the mock shows it alone. */
export function mockDetail(machUuid: string, devices: readonly Device[]) {
  const status = { mach_status: 15, mach_op_status: '00', mach_status_detail: 'dummy', tenant_uuid: 'dummy' };
  return { ...mockMachine(machUuid, devices), mach_name: 'm1', ...status };
}

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The mock's answer to every login: always the same token, which ends in the year 3000. */
export const mockToken = {
  access_token: `${segment({ alg: 'RS256', typ: 'JWT' })}.${segment({ exp: 32_503_680_000 })}.dGVzdAo`,
  expires_in: 300,
  refresh_expires_in: 2,
  refresh_token: 'token2',
  token_type: 'Bearer',
  id_token: 'token3',
  'not-before-policy': 3,
  session_state: 'efffca5t4',
  scope: 'test profile',
};
