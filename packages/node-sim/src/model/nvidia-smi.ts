import type { Device } from '@cro/fabric-sim';
import { complained, printed, type Program } from './program.ts';

const LIST = '-L';
const QUERY = '--query-gpu=gpu_uuid --format=csv,noheader,nounits';

/** NVIDIA's command-line tool, for the GPUs that are there when it is called. */
export function nvidiaSmi(gpus: () => readonly Device[]): Program {
  return ({ args }) => {
    const asked = args.join(' ');
    const line = lineOf(asked);
    if (line === undefined) return complained(2, `Invalid combination of input arguments: ${asked}\n`);
    const lines = gpus().map(line);
    // What it says is on stdout, and no failure.
    return printed(lines.length === 0 ? 'No devices were found\n' : `${lines.join('\n')}\n`);
  };
}

function lineOf(asked: string): ((gpu: Device, index: number) => string) | undefined {
  switch (asked) {
    case LIST:
      return (gpu, index) => `GPU ${index}: ${gpu.model} (UUID: ${gpu.serial})`;
    case QUERY:
      return (gpu) => gpu.serial;
    default:
      return undefined;
  }
}
