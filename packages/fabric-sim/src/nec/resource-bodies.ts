import type { Device, Machine } from '../pool/device.ts';
import { adaptersOf, type NecContext } from './context.ts';

const HEALTH: Readonly<Record<string, string>> = { '0': 'OK', '1': 'Warning', '2': 'Critical' };

/** A resource as `/resources` has it. */
export interface ResourceBody {
  readonly device: Readonly<Record<string, unknown>> & { readonly deviceID: string; readonly type: string };
  readonly annotation: { readonly available: boolean };
  readonly resourceGroupIDs: readonly string[];
  readonly nodeIDs: readonly string[];
  readonly detected: boolean;
}

/** Every resource, by deviceID, as configuration-manager believes it to be. */
export function allResources(context: NecContext): readonly ResourceBody[] {
  const { pool, dialect } = context;
  const machines = pool
    .machines()
    .flatMap((machine) => [
      cpuBody(context, machine),
      ...(dialect === 'product' ? adapterBodies(context, machine) : []),
    ]);
  const devices = pool.devices().map((device) => deviceBody(context, device));
  return [...machines, ...devices].sort((a, b) => (a.device.deviceID < b.device.deviceID ? -1 : 1));
}

/** One resource. */
export function resourceById(context: NecContext, id: string): ResourceBody | undefined {
  const device = context.pool.device(id);
  if (device !== undefined) return deviceBody(context, device);
  const machine = context.pool.machine(id);
  if (machine !== undefined) return cpuBody(context, machine);
  return allResources(context).find((resource) => resource.device.deviceID === id);
}

/** A device that may be plugged in or out, as the hardware or the view has it: `machine` is where it is. */
export function deviceView(
  { marks, hardware, dialect }: NecContext,
  device: Device,
  machine: string | undefined,
): ResourceBody['device'] {
  const { resUuid, model, opStatus } = device;
  const builtInto = marks.builtInto(resUuid);
  const link = (where: string) =>
    dialect === 'oss'
      ? { type: 'CPU', deviceID: where }
      : { type: 'destinationFabricAdapter', deviceID: adaptersOf(where).deviceSide };
  return {
    deviceID: resUuid,
    type: typeWord(device.type),
    model,
    manufacturer: 'NVIDIA Corporation',
    serialNumber: marks.serialNumber(resUuid),
    status: { state: 'Enabled', health: HEALTH[opStatus.charAt(0)] ?? '' },
    powerState: hardware.powerState(resUuid),
    powerCapability: true,
    links: machine === undefined ? [] : [link(machine)],
    ...(builtInto === undefined ? {} : { constraints: { nonRemovableDevices: [{ deviceID: builtInto }] } }),
  };
}

function deviceBody(context: NecContext, device: Device): ResourceBody {
  const machine = context.view.machineOf(device.resUuid);
  return body(context, deviceView(context, device, machine), machine);
}

function cpuBody(context: NecContext, { machUuid }: Machine): ResourceBody {
  const linked = context.view.on(machUuid).map((deviceID) => ({ type: 'GPU', deviceID }));
  const device = {
    deviceID: machUuid,
    type: 'CPU',
    model: 'CPU',
    status: { state: 'Enabled', health: 'OK' },
    powerState: 'On',
    powerCapability: true,
    links: linked,
  };
  // A CPU with nothing linked to it makes no node.
  return body(context, device, linked.length > 0 || context.dialect === 'product' ? machUuid : undefined);
}

function adapterBodies(context: NecContext, { machUuid }: Machine): readonly ResourceBody[] {
  const { serverSide, deviceSide } = adaptersOf(machUuid);
  const adapter = (deviceID: string, type: string, status: string, links: readonly unknown[]) => ({
    deviceID,
    type,
    status: { state: 'Enabled', health: 'OK' },
    links,
    attribute: { deviceSpecificInformation: { status } },
  });
  const down = [{ type: 'destinationFabricAdapter', deviceID: deviceSide }];
  return [
    body(context, adapter(serverSide, 'sourceFabricAdapter', 'eesv', down), machUuid),
    body(context, adapter(deviceSide, 'destinationFabricAdapter', 'eeio', []), machUuid),
  ];
}

function body({ marks }: NecContext, device: ResourceBody['device'], machine: string | undefined): ResourceBody {
  const { deviceID } = device;
  return {
    device,
    annotation: { available: marks.available(deviceID) },
    resourceGroupIDs: marks.groups(deviceID),
    nodeIDs: machine === undefined ? [] : [machine],
    detected: marks.detected(deviceID),
  };
}

function typeWord(type: string): string {
  return type === 'gpu' ? 'GPU' : type === 'cxlmemory' ? 'memory' : type;
}
