import type { Dialect } from './config.ts';
import type { Device, Resource } from './wire.ts';

const SERVER_SIDE = 'sourcefabricadapter';
const DEVICE_SIDE = 'destinationfabricadapter';

/** Which machine is behind which link. */
export interface Topology {
  readonly dialect: Exclude<Dialect, 'auto'>;
  /** Ids of the machines: those of their CPUs. */
  readonly machines: ReadonlySet<string>;
  /** Machines by what a device's link may name: the CPU, or an adapter of the machine. */
  readonly byLink: ReadonlyMap<string, string>;
  /** What a connect names as its source, by machine: the CPU, or the adapter on the devices' side. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Reads which machines there are and how devices are linked to them. In the open-source dialect a device is linked to a
 * CPU; the product has two fabric adapters between, and a connect names the second one.
 */
export function topologyOf(resources: readonly Resource[], wanted: Dialect): Topology {
  const cpus = resources.filter(({ device }) => device.type.toLowerCase() === 'cpu');
  const machines = new Set(cpus.map(({ device }) => device.deviceID));
  const adapters = resources.filter(({ device }) => device.type.toLowerCase() === SERVER_SIDE);
  const dialect = wanted === 'auto' ? (adapters.length > 0 ? 'product' : 'oss') : wanted;
  const own = [...machines].map((machine) => [machine, machine] as const);
  if (dialect === 'oss') return { dialect, machines, byLink: new Map(own), sources: new Map(own) };
  const pairs = adapterPairs(resources, adapters, machines);
  const links = pairs.flatMap(([machine, near, far]) => [[near, machine] as const, [far, machine] as const]);
  const sources = new Map(pairs.map(([machine, , far]) => [machine, far]));
  return { dialect, machines, byLink: new Map([...own, ...links]), sources };
}

/** Machine, adapter on its side (status `eesv`), adapter on the devices' side (status `eeio`). */
function adapterPairs(
  resources: readonly Resource[],
  adapters: readonly Resource[],
  machines: ReadonlySet<string>,
): (readonly [string, string, string])[] {
  const byId = new Map(resources.map((resource) => [resource.device.deviceID, resource.device]));
  return adapters.flatMap(({ device, nodeIDs }) => {
    const machine = nodeIDs?.find((id) => machines.has(id));
    const far = (device.links ?? []).find(({ type }) => type?.toLowerCase() === DEVICE_SIDE)?.deviceID;
    const end = far === undefined ? undefined : byId.get(far);
    if (machine === undefined || end === undefined || statusOf(device) !== 'eesv') return [];
    if (end.type.toLowerCase() !== DEVICE_SIDE || statusOf(end) !== 'eeio') return [];
    return [[machine, device.deviceID, end.deviceID] as const];
  });
}

function statusOf({ attribute }: Device): string | undefined {
  const information = attribute?.['deviceSpecificInformation'];
  if (typeof information !== 'object' || information === null || !('status' in information)) return undefined;
  return typeof information.status === 'string' ? information.status : undefined;
}

/** The machine that a device is on; `undefined`: on none, or on one that CDIM does not list. */
export function machineOf({ device, nodeIDs }: Resource, { machines, byLink }: Topology): string | undefined {
  const node = nodeIDs?.find((id) => machines.has(id));
  if (node !== undefined) return node;
  for (const { deviceID } of device.links ?? []) {
    const machine = deviceID === undefined ? undefined : byLink.get(deviceID);
    if (machine !== undefined) return machine;
  }
  return undefined;
}
