import type { Resource } from './wire.ts';

/** Whether a device is on a machine: by the node that it is shown in, or by a link to what stands for the machine. */
export function isOn({ device, nodeIDs = [] }: Resource, machine: string, source: string): boolean {
  if (nodeIDs.includes(machine)) return true;
  return (device.links ?? []).some(({ deviceID }) => deviceID === machine || deviceID === source);
}
