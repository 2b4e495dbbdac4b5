import { cleanText } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { ShownDevice } from '../identity.ts';
import { listGpus, listGpusAndConfigs, type Command } from './commands.ts';
import { readGpuList, type ListedGpu } from './parse/gpu-list.ts';
import { readPciSerial, type PciSerial } from './parse/pci-config.ts';
import { readAll } from './parse/read.ts';
import type { Session } from './session.ts';

/** The GPUs that NVML shows, or why there is no list. `hasNoDriver`: nvidia-smi is there and finds no driver that runs. */
export type Listed =
  | { readonly tag: 'listed'; readonly gpus: readonly ShownDevice[] }
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasNoDriver: boolean };

/** "NVIDIA driver is not loaded", by the manual of nvidia-smi: so it is on a host that has no GPU at the moment. */
const NO_DRIVER = 9;
/** What a line with a configuration space begins with. */
const CONFIG = 'config ';

/** Lists the GPUs of a node; that makes its driver notice a new one. */
export function listOn(session: Session): Promise<Listed> {
  return list(session, listGpus(session.place));
}

/** The same, with the serial numbers that PCI devices tell. */
export function listWithPciSerialsOn(session: Session): Promise<Listed> {
  return list(session, listGpusAndConfigs(session.place));
}

async function list(session: Session, command: Command): Promise<Listed> {
  const ran = await session.run(command);
  if (ran.tag === 'failed') return { ...ran, hasNoDriver: false };
  const lines = ran.lines.filter((line) => line.trim() !== '');
  const configs = lines.filter((line) => line.startsWith(CONFIG));
  const rest = lines.filter((line) => !line.startsWith(CONFIG));
  const read = readGpuList({ lines: rest, code: ran.code });
  if (read.tag === 'wrong') {
    const said = cleanText([...rest, ran.complaint].join(' '));
    const why = ran.code === 0 ? read.message : `exit code ${ran.code}, ${said === '' ? 'it said nothing' : said}`;
    const failed = session.failed(command, ran.code === 0 ? 'Protocol' : 'Blocked', why);
    return { ...failed, hasNoDriver: ran.code === NO_DRIVER };
  }
  const serials = readAll(configs, (line) => readPciSerial(line.slice(CONFIG.length)));
  if (serials.tag === 'wrong') return { ...session.failed(command, 'Protocol', serials.message), hasNoDriver: false };
  return { tag: 'listed', gpus: read.value.map((gpu) => shown(gpu, serials.value)) };
}

function shown(
  { uuid, address, model, serialNumber }: ListedGpu,
  serials: readonly (PciSerial | undefined)[],
): ShownDevice {
  const pci = serials.find((one) => one?.address.equals(address) === true);
  return {
    id: uuid.toString(),
    ...(model === undefined ? {} : { model }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(pci === undefined ? {} : { pcieSerialNumber: pci.serial }),
  };
}
