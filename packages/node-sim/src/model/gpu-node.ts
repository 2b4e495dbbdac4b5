import type { Device } from '@cro/fabric-sim';
import { coreutils } from './coreutils.ts';
import type { NodeModel } from './node-model.ts';
import { nvidiaSmi } from './nvidia-smi.ts';
import { complained, type Program } from './program.ts';

/** What a shell, too, ends with when there is no such program. */
const NO_SUCH_PROGRAM = 127;

/** A node with GPUs: its containers have `nvidia-smi` and a few of coreutils, found by the last part of their path. */
export function gpuNode(devices: () => readonly Device[]): NodeModel {
  const gpus = () => devices().filter(({ type, serial }) => type === 'gpu' && serial !== '');
  const programs = new Map<string, Program>([...Object.entries(coreutils), ['nvidia-smi', nvidiaSmi(gpus)]]);
  return {
    async exec({ argv: [path = '', ...args], stdin = '' }, signal) {
      const program = programs.get(path.slice(path.lastIndexOf('/') + 1));
      if (program !== undefined) return program({ args, stdin, signal });
      return complained(NO_SUCH_PROGRAM, `exec: ${JSON.stringify(path)}: executable file not found in $PATH\n`);
    },
  };
}
