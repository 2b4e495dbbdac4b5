import { steady } from '../conformance/steady.ts';

/** A line that kubectl prints, without what differs from run to run: ages, ports, names of temporary files, paths of caches. */
export function steadyLine(line: string): string {
  return steady(line)
    .replaceAll(/127\.0\.0\.1:\d+/g, '<server>')
    .replaceAll(/\/tmp\/\S+/g, '<file>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, '<time>')
    .replaceAll(/\b\d+[smh](\d+[smh])?\b/g, '<age>')
    .replaceAll(/(Resource Version:\s+)\d+/g, '$1<rv>')
    .replaceAll(/(resourceVersion: )"\d+"/g, '$1<rv>')
    .replaceAll(/ +/g, ' ')
    .trimEnd();
}
