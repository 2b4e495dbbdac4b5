import { GpuUuid, minorOf, PciAddress } from '../patterns.ts';
import { ok, readAll, wrong, type Read } from './read.ts';

/** A GPU, as the kernel's part of the driver tells of it in /proc/driver/nvidia/gpus/<address>/information. */
export interface DriverGpu {
  readonly address: PciAddress;
  /** `unknown`: the driver has not initialised it yet, and writes question marks. */
  readonly uuid: GpuUuid | 'unknown';
  /** Of /dev/nvidia<minor>; drivers before 390 do not say it. */
  readonly minor: number | undefined;
}

const PATH = /^\/proc\/driver\/nvidia\/gpus\/([^/]+)\/information:(.*)$/;
const UNKNOWN_UUID = /^GPU-[?-]+$/;

/** Reads `<path>:<line>` of all information files. What they say besides is nobody's business here. */
export function readInformation(lines: readonly string[]): Read<readonly DriverGpu[]> {
  const files = new Map<string, Map<string, string>>();
  for (const line of lines) {
    const [, folder, text = ''] = PATH.exec(line) ?? [];
    if (folder === undefined) return wrong('line of an information file', line, '<path>/information:<text>');
    const fields = files.get(folder) ?? new Map<string, string>();
    files.set(folder, fields);
    const colon = text.indexOf(':');
    if (colon > 0) fields.set(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
  }
  return readAll([...files], ([folder, fields]) => gpuOf(folder, fields));
}

function gpuOf(folder: string, fields: ReadonlyMap<string, string>): Read<DriverGpu> {
  const address = PciAddress.of(fields.get('Bus Location') ?? folder);
  if (address === undefined) return wrong('Bus Location', fields.get('Bus Location') ?? folder, 'a PCI address');
  const text = fields.get('GPU UUID') ?? '';
  const uuid = UNKNOWN_UUID.test(text) ? 'unknown' : GpuUuid.of(text);
  if (uuid === undefined) return wrong(`GPU UUID of ${address.inKernel}`, text, GpuUuid.accepted);
  const minor = fields.get('Device Minor');
  if (minor === undefined) return ok({ address, uuid, minor: undefined });
  const number = minorOf(minor);
  if (number === undefined) return wrong(`Device Minor of ${address.inKernel}`, minor, 'a number from 0 to 254');
  return ok({ address, uuid, minor: number });
}
