import { cleanText } from '@cro/cdi-core';
import { minorOf } from '../patterns.ts';
import type { Report } from './report.ts';
import { ok, readAll, wrong, type Read } from './read.ts';

/** A process that has the device file of a GPU open. */
export interface Holder {
  readonly pid: number;
  readonly minor: number;
  /** As the kernel has it: cut to 15 characters. */
  readonly name: string;
}

const HOLDER = /^(\d{1,10}) (\d+) (.*)$/;
/** A process may call itself anything. */
const LONGEST_NAME = 32;

/** Reads who has device files open. A scan that saw no process at all did not work, whatever it found. */
export function readHolders(report: Report): Read<readonly Holder[]> {
  const [scanned = ''] = report.of('scanned');
  if (!/^[1-9]\d*$/.test(scanned)) return wrong('number of processes looked at', scanned, 'at least 1');
  return readAll(report.of('holder'), holderOf);
}

function holderOf(line: string): Read<Holder> {
  const [, pid, minorText = '', name = ''] = HOLDER.exec(line) ?? [];
  const minor = minorOf(minorText);
  if (pid === undefined || minor === undefined) return wrong('open device file', line, '<pid> <minor> <name>');
  return ok({ pid: Number(pid), minor, name: cleanText(name, LONGEST_NAME) });
}
