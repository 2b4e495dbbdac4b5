import { cleanText } from '@cro/cdi-core';
import { GpuUuid } from '../patterns.ts';
import { fieldsOf, known, listed } from './csv.ts';
import type { MigOwners } from './gpu-list.ts';
import type { Said } from './report.ts';
import { ok, readAll, wrong, type Read } from './read.ts';

/** A process that computes on a GPU or on a part of one. */
export interface ComputeApp {
  readonly gpu: GpuUuid;
  readonly pid: number | undefined;
  readonly name: string;
}

/** Before R470 the id of a MIG device named its GPU. */
const OLD_MIG = /^MIG-(GPU-[0-9a-f-]{36})\/\d+\/\d+$/i;
const LONGEST_NAME = 64;

/**
 * Reads `--query-compute-apps=gpu_uuid,pid,process_name`. A process on a MIG device computes on its GPU: `owners` says which that
 * is. A name may hold commas.
 */
export function readComputeApps(said: Said, owners: MigOwners): Read<readonly ComputeApp[]> {
  const lines = listed('compute processes', said);
  return lines.tag === 'wrong' ? lines : readAll(lines.value, (line) => appOf(line, owners));
}

function appOf(line: string, owners: MigOwners): Read<ComputeApp> {
  const [device, pid, name] = fieldsOf(line, 3) ?? [];
  const accepted = '<gpu_uuid>, <pid>, <process_name>';
  if (device === undefined || pid === undefined || name === undefined) return wrong('compute process', line, accepted);
  const gpu = GpuUuid.of(device) ?? GpuUuid.of(OLD_MIG.exec(device)?.[1] ?? '') ?? owners.get(device.toLowerCase());
  const number = known(pid);
  if (gpu === undefined || (number !== undefined && !/^\d{1,10}$/.test(number))) {
    return wrong('compute process', line, accepted);
  }
  return ok({ gpu, pid: number === undefined ? undefined : Number(number), name: cleanText(name, LONGEST_NAME) });
}
