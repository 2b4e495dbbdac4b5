import { PciAddress } from '../patterns.ts';
import { ok, wrong, type Read } from './read.ts';

/** A PCI device with its serial number: the 8 bytes of the capability, highest first, in hex without dashes. */
export interface PciSerial {
  readonly address: PciAddress;
  readonly serial: string;
}

/** Extended capabilities begin there, each with 16 bits of id, 4 of version and 12 of where the next is (PCI Express Base 7.6). */
const FIRST = 0x100;
const DEVICE_SERIAL_NUMBER = 0x0003;
const BYTES = 4096;
/** Devices without one fill it so. */
const NONE = /^0*$|^f*$/;

/** Reads `<address> <configuration space in hex>`; undefined where the device says no serial number, or nobody may read so far. */
export function readPciSerial(line: string): Read<PciSerial | undefined> {
  const [, text = '', hex = ''] = /^(\S+) ((?:[0-9a-f]{2})*)$/.exec(line) ?? [];
  const address = PciAddress.of(text);
  if (address === undefined || hex.length > 2 * BYTES) {
    return wrong('configuration space', line, '<address> and up to 4096 bytes in hex');
  }
  const serial = serialIn(hex);
  return ok(serial === undefined || NONE.test(serial) ? undefined : { address, serial });
}

function serialIn(hex: string): string | undefined {
  // A chain that leads back to itself ends as well.
  const seen = new Set<number>();
  for (let at = FIRST; at >= FIRST && !seen.has(at);) {
    seen.add(at);
    const header = wordAt(hex, at);
    if (header === undefined) return undefined;
    if (header % 0x10000 === DEVICE_SERIAL_NUMBER) return bytesAt(hex, at + 8) + bytesAt(hex, at + 4);
    at = Math.floor(header / 0x100000);
  }
  return undefined;
}

/** Numbers are little-endian there. */
function bytesAt(hex: string, at: number): string {
  const bytes = hex.slice(2 * at, 2 * at + 8).match(/../g) ?? [];
  return bytes.reverse().join('');
}

function wordAt(hex: string, at: number): number | undefined {
  return hex.length < 2 * (at + 12) ? undefined : Number.parseInt(bytesAt(hex, at), 16);
}
