import { readFileSync } from 'node:fs';

/** What the kernel says of a process. */
export interface ProcessUse {
  /** Resident memory now, in MiB (VmRSS). */
  readonly rssMiB: number;
  /** The most it ever was (VmHWM). */
  readonly peakMiB: number;
  /** CPU time of all its threads so far, in seconds. */
  readonly cpuS: number;
}

/** Clock ticks a second in /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Reads /proc. Throws when the process is gone, and where there is no /proc. */
export function processUse(pid: number): ProcessUse {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, the program's name, may hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { rssMiB: kibOf(status, 'VmRSS') / 1024, peakMiB: kibOf(status, 'VmHWM') / 1024, cpuS: ticks / TICKS };
}

function kibOf(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  if (found === null) throw new Error(`/proc/<pid>/status has no ${name}`);
  return Number(found[1]);
}
