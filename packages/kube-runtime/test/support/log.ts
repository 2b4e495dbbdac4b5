import type { Log } from '../../src/index.ts';

/** A log that keeps its lines. */
export function recordingLog() {
  const lines: Record<string, unknown>[] = [];
  const level = (name: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    lines.push({ level: name, message, ...fields });
  };
  const log: Log = { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
  return { log, lines };
}
