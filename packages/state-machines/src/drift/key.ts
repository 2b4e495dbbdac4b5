/** Where a device is, and by which ids it is known; an id that is not known is empty. */
export interface ListedOnFabric {
  readonly provider: string;
  readonly machine: string;
  readonly cdiDeviceId: string;
  readonly deviceId: string;
}

/** What a device is remembered by; `undefined` for one without any id, which is never touched. */
export function driftKey(device: ListedOnFabric): string | undefined {
  const id = device.cdiDeviceId === '' ? device.deviceId : device.cdiDeviceId;
  return id === '' ? undefined : [device.provider, device.machine, id].map(asWord).join('/');
}

/** Whether a key that {@link driftKey} made, or that somebody wrote by hand, is of a device on this machine. */
export function isOnMachine(key: string, machine: string): boolean {
  return key.split('/')[1] === asWord(machine);
}

/**
 * One word without a slash for each text. Ids come from the fabric: where `encodeURIComponent` throws on half of a surrogate
 * pair, this does not.
 */
function asWord(text: string): string {
  return text.replace(/[^\w.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
