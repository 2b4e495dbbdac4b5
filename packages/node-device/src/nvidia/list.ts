import type { Failure } from '@cro/crd-types';
import type { ShownDevice } from '../identity.ts';
import { listGpus } from './commands.ts';
import { readGpuList } from './parse/gpu-list.ts';
import type { Session } from './session.ts';

/** The GPUs that NVML shows, or why there is no list. `hasNoDriver`: nvidia-smi is there and finds no driver that runs. */
export type Listed =
  | { readonly tag: 'listed'; readonly gpus: readonly ShownDevice[] }
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasNoDriver: boolean };

/** "NVIDIA driver is not loaded", by the manual of nvidia-smi: so it is on a host that has no GPU at the moment. */
const NO_DRIVER = 9;

/** Lists the GPUs of a node; that makes its driver notice a new one. */
export async function listOn(session: Session): Promise<Listed> {
  const command = listGpus(session.place);
  const ran = await session.run(command);
  if (ran.tag === 'failed') return { ...ran, hasNoDriver: false };
  const lines = ran.lines.filter((line) => line.trim() !== '');
  const read = readGpuList({ lines, code: ran.code });
  if (read.tag === 'wrong') {
    const why = ran.code === 0 ? read.message : `exit code ${ran.code}, ${ran.text}`;
    const failed = session.failed(command, ran.code === 0 ? 'Protocol' : 'Blocked', why);
    return { ...failed, hasNoDriver: ran.code === NO_DRIVER };
  }
  const gpus = read.value.map(({ uuid, model, serialNumber }) => ({
    id: uuid.toString(),
    ...(model === undefined ? {} : { model }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
  }));
  return { tag: 'listed', gpus };
}
