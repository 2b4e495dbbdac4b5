import { cleanText, type CallContext } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { Cdim } from './cdim.ts';
import type { Notes } from './notes.ts';

/** What a step names for a machine. */
export type Source =
  | { readonly tag: 'source'; readonly dialect: Notes['dialect']; readonly source: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Finds what stands for a machine in a step, and refuses what must not be done to this CDIM at all. */
export async function sourceOf({ directory, config }: Cdim, machine: string, context: CallContext): Promise<Source> {
  const known = await directory.know(machine, context);
  if (known.tag === 'failed') return known;
  const { topology, gpus } = known;
  if (config.provisionalGpuUuid !== undefined && gpus > 1) {
    const message = `provisionalGpuUuid (NEC_PROVISIONAL_GPU_UUID) names one GPU and CDIM has ${gpus}: unset it, devices are then identified on their nodes`;
    return failed('Blocked', message);
  }
  if (!topology.machines.has(machine))
    return failed('Rejected', `machine '${cleanText(machine)}' is not known to CDIM`);
  const source = topology.sources.get(machine);
  if (source !== undefined) return { tag: 'source', dialect: topology.dialect, source };
  const message = `machine '${machine}' has no fabric adapter in CDIM (status eesv, linked to one with status eeio): nothing can be connected to it`;
  return failed('Blocked', message);
}

function failed(kind: Failure['kind'], message: string): Source {
  return { tag: 'failed', failure: { kind, message } };
}
