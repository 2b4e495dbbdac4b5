import { GpuUuid, PciAddress } from '../patterns.ts';
import { fieldsOf, known, listed } from './csv.ts';
import type { Said } from './report.ts';
import { ok, readAll, wrong, type Read } from './read.ts';

/** A GPU, as NVML tells of it. */
export interface ListedGpu {
  readonly uuid: GpuUuid;
  /** As printed on the board; absent for boards without. */
  readonly serialNumber?: string;
  readonly address: PciAddress;
  readonly model?: string;
}

/** Reads `--query-gpu=gpu_uuid,serial,pci.bus_id,name`. */
export function readGpuList(said: Said): Read<readonly ListedGpu[]> {
  const lines = listed('list of GPUs', said);
  return lines.tag === 'wrong' ? lines : readAll(lines.value, gpuOf);
}

function gpuOf(line: string): Read<ListedGpu> {
  const [id = '', serial = '', bus = '', name = ''] = fieldsOf(line, 4) ?? [];
  const uuid = GpuUuid.of(id);
  const address = PciAddress.of(bus);
  if (uuid === undefined || address === undefined)
    return wrong('GPU', line, '<gpu_uuid>, <serial>, <pci.bus_id>, <name>');
  const serialNumber = known(serial);
  const model = known(name);
  return ok({
    uuid,
    address,
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(model === undefined ? {} : { model }),
  });
}

/** The GPU of each MIG device, by the device's id in lower case. */
export type MigOwners = ReadonlyMap<string, GpuUuid>;

const GPU_LINE = /^GPU \d+: .*\(UUID: (GPU-[0-9a-f-]+)\)$/i;
const MIG_LINE = /^\s+MIG .*\(UUID: (MIG-[0-9a-z/-]+)\)$/i;

/** Reads `-L`: each GPU, and under it the MIG devices that are parts of it. */
export function readMigOwners(said: Said): Read<MigOwners> {
  const lines = listed('list of GPUs and MIG devices', said);
  if (lines.tag === 'wrong') return lines;
  const owners = new Map<string, GpuUuid>();
  let gpu: GpuUuid | undefined;
  for (const line of lines.value) {
    const mig = MIG_LINE.exec(line)?.[1];
    if (mig === undefined) gpu = GpuUuid.of(GPU_LINE.exec(line)?.[1] ?? '');
    if (gpu === undefined)
      return wrong('GPU or MIG device', line, 'GPU <n>: <name> (UUID: <id>), and under it MIG lines');
    if (mig !== undefined) owners.set(mig.toLowerCase(), gpu);
  }
  return ok(owners);
}
