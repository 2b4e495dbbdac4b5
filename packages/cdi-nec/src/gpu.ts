import { cleanText, type Health, type IdentityHints } from '@cro/cdi-core';
import type { Device, Resource } from './wire.ts';

/** Whether a resource is a GPU. */
export function isGpu({ type }: Device): boolean {
  return type.toLowerCase() === 'gpu';
}

/** Whether a device is part of its server: it can neither come nor go, so it is nobody's business here. */
export function isBuiltIn({ constraints }: Device): boolean {
  return (constraints?.nonRemovableDevices ?? []).length > 0;
}

/** Whether a resource is marked for maintenance. */
export function isUnderMaintenance({ annotation }: Resource): boolean {
  return annotation?.available === false || annotation?.systemItems?.available === false;
}

/** Whether nothing is linked to a device. */
export function isUnlinked({ links }: Device): boolean {
  return (links ?? []).length === 0;
}

/** Models are compared without regard to case, as in the Go operator. */
export function isModel({ model }: Device, wanted: string): boolean {
  return model?.toLowerCase() === wanted.toLowerCase();
}

/** A device's health by its `status`, and by what is noted of it. */
export function healthOf({ device, detected, ...rest }: Resource): Health {
  const { state = '', health = '' } = device.status ?? {};
  const name = `the target gpu '${device.deviceID}'`;
  if (detected === false) return { level: 'missing', message: `${name} is not detected by CDIM any more` };
  if (state.toLowerCase() !== 'enabled') {
    return { level: 'critical', message: `${name} has state '${cleanText(state, 32)}' in CDIM` };
  }
  switch (health.toLowerCase()) {
    case 'ok':
      if (!isUnderMaintenance({ device, ...rest })) return { level: 'ok' };
      return { level: 'warning', message: `${name} is marked for maintenance in CDIM` };
    case 'warning':
      return { level: 'warning', message: `${name} is showing a Warning status in CDIM` };
    case 'critical':
      return { level: 'critical', message: `${name} is showing a Critical status in CDIM` };
    default:
      return { level: 'unknown', message: `${name} has unknown health '${cleanText(health, 32)}' in CDIM` };
  }
}

/** Under which names versions of CDIM have shown what tells a device from others. No name is documented. */
const NAMES: Readonly<Record<Exclude<keyof IdentityHints, 'memoryMiB' | 'gcxlId'>, readonly string[]>> = {
  serialNumber: ['serialNumber', 'deviceSerialNumber', 'SerialNumber'],
  pcieSerialNumber: ['PCIeDeviceSerialNumber', 'pcieDeviceSerialNumber', 'pcieSerialNumber'],
  pcieVendorId: ['PCIeVendorId', 'pcieVendorId', 'vendorID', 'VendorId'],
  pcieDeviceId: ['PCIeDeviceId', 'pcieDeviceId', 'DeviceId'],
  model: ['model'],
  uuid: ['uuid', 'UUID', 'deviceUUID'],
};

const PRINTABLE = /^[ -~]{1,128}$/;

/** What helps to recognise a device on its node. Of what is not plain text nothing is taken. */
export function hintsOf(device: Device): IdentityHints {
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([hint, names]) => {
      const value = textUnder(device, names);
      return value === undefined ? [] : [[hint, value]];
    }),
  );
}

/** What the node calls the GPU, if this version of CDIM shows it: only NVIDIA writes its UUIDs so. */
export function uuidOf(device: Device): string | undefined {
  const { uuid } = hintsOf(device);
  return uuid !== undefined && /^GPU-[0-9a-f-]{32,36}$/i.test(uuid) ? uuid : undefined;
}

/** `GPU-` in front, where it is missing. */
export function withPrefix(uuid: string): string {
  return uuid.startsWith('GPU-') ? uuid : `GPU-${uuid}`;
}

function textUnder(device: Device, names: readonly string[]): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...device };
  const values = names.flatMap((name) => [fields[name], device.attribute?.[name]]);
  return values.find((value): value is string => typeof value === 'string' && PRINTABLE.test(value));
}
