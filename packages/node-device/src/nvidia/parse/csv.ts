import type { Said } from './report.ts';
import { ok, wrong, type Read } from './read.ts';

/** NVML has no GPU to tell of; ends with 0 or 6, as the version of the driver has it. */
const NO_DEVICES = 'No devices were found';
const NO_DEVICES_CODES = [0, 6];
/** The same, where no GPU is bound to the driver at all; ends with 255 then. */
const NO_GPUS = 'Failed to initialize NVML: No supported GPUs were found';

/** The lines of a list, none where there are no devices; `wrong` when the program failed. */
export function listed(what: string, { lines, code }: Said): Read<readonly string[]> {
  const [first] = lines;
  if (lines.length === 1 && first?.trim() === NO_DEVICES && NO_DEVICES_CODES.includes(code)) return ok([]);
  if (first?.trim() === NO_GPUS) return ok([]);
  if (code === 0) return ok(lines);
  return wrong(what, `exit code ${code}, ${lines.join(' ')}`, 'exit code 0');
}

/** Whether NVML did not know of the GPU that it was asked about. */
export function saysNoDevices({ lines }: Said): boolean {
  return lines.some((line) => line.trim() === NO_DEVICES);
}

/** The first `count` fields of a line; the last of them takes what is left, commas and all. */
export function fieldsOf(line: string, count: number): readonly string[] | undefined {
  const parts = line.split(',');
  if (parts.length < count) return undefined;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')].map((part) => part.trim());
}

/** Undefined for what NVML does not know: `[N/A]`, `[Not Supported]`, `N/A`, and its kin. */
export function known(field: string): string | undefined {
  return field === '' || field === 'N/A' || /^\[.*\]$/.test(field) ? undefined : field;
}
