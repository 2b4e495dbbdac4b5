import type { ExecOutcome, ExecRequest } from '@cro/kube-runtime/exec';
import {
  CONFIGS_IN_CONTAINER,
  END_PERSISTENCED,
  FIND_PERSISTENCED,
  LOAD,
  LOOK_AND_QUIESCE,
  QUIESCE,
  REMOVE_IN_CONTAINER,
  REMOVE_ON_HOST,
  START_PERSISTENCED,
} from '../../src/nvidia/scripts.ts';

export const A = 'GPU-11111111-0000-0000-0000-000000000001';
export const B = 'GPU-22222222-0000-0000-0000-000000000002';

interface FakeGpu {
  readonly uuid: string;
  readonly minor: number;
  readonly address: string;
  readonly serial?: string;
  readonly draining?: boolean;
}

/** The little that a node answers to the commands of NVIDIA's actions, as a list of what was asked of it. */
export class FakeNode {
  readonly calls: string[] = [];
  gpus: FakeGpu[] = [
    { uuid: A, minor: 0, address: '0000:1f:00.0', serial: '1650000000001' },
    { uuid: B, minor: 1, address: '0000:20:00.0' },
  ];
  holders: { pid: number; minor: number; name: string }[] = [];
  apps: string[] = [];
  persistenced: 'none' | 'running' | 'ended' = 'none';
  isVirtual = false;
  modules: string[] = ['nvidia'];
  /** Configuration spaces, by address. */
  readonly configs = new Map<string, Buffer>();
  /** Ends the next command whose words hold this in another way than it would. */
  trouble: { readonly at: string; readonly outcome: ExecOutcome } | undefined;

  readonly exec = (request: ExecRequest): Promise<ExecOutcome> => {
    const { argv } = request;
    const words = this.#wordsOf(argv);
    this.calls.push(words);
    if (this.trouble !== undefined && words.includes(this.trouble.at)) {
      const { outcome } = this.trouble;
      this.trouble = undefined;
      return Promise.resolve(outcome);
    }
    return Promise.resolve(this.#answer(argv, words));
  };

  #wordsOf(argv: readonly string[]): string {
    const names = new Map([
      [END_PERSISTENCED, 'end-persistenced'],
      [FIND_PERSISTENCED, 'find-persistenced'],
      [QUIESCE, 'quiesce'],
      [LOOK_AND_QUIESCE, 'look-and-quiesce'],
      [LOAD, 'load'],
      [REMOVE_IN_CONTAINER, 'remove'],
      [REMOVE_ON_HOST, 'remove'],
      [START_PERSISTENCED, 'start-persistenced'],
    ]);
    return argv
      .map((word) => names.get(word) ?? word)
      .filter((word) => !['/bin/sh', '-c', 'cro', '/bin/chroot', '/host-root'].includes(word) && !word.includes('\n'))
      .join(' ');
  }

  #answer(argv: readonly string[], words: string): ExecOutcome {
    const gpu = this.gpus.find(({ uuid }) => argv.includes(uuid));
    const isLeft = argv.includes('unlessOpen') && gpu !== undefined && this.#isOpen(gpu);
    if (argv.includes(END_PERSISTENCED) && this.persistenced === 'running' && gpu !== undefined && !isLeft) {
      this.persistenced = 'ended';
    }
    if (argv.includes(LOAD)) {
      return said([
        ...(argv.includes(FIND_PERSISTENCED) ? this.#persistencedLine() : []),
        ...this.#gpuLines(),
        'apps-exit 0',
        ...this.apps.map((app) => `apps ${app}`),
        ...this.#holderLines(),
      ]);
    }
    if (argv.includes(REMOVE_IN_CONTAINER) || argv.includes(REMOVE_ON_HOST)) return said(this.#remove(gpu));
    if (argv.includes(QUIESCE) || argv.includes(LOOK_AND_QUIESCE)) return said(this.#quiesce(gpu, isLeft));
    if (argv.includes(START_PERSISTENCED)) this.persistenced = 'running';
    if (!words.includes('--query-gpu')) return exited('');
    const lines = this.gpus.map(
      ({ uuid, serial, address }) => `${uuid}, ${serial ?? '[N/A]'}, 0000${address}, NVIDIA L4`,
    );
    const configs = argv.includes(CONFIGS_IN_CONTAINER) ? [...this.configs] : [];
    lines.unshift(...configs.map(([at, space]) => `config ${at} ${space.toString('hex')}`));
    return lines.length === 0 ? exited('No devices were found\n', 6) : exited(`${lines.join('\n')}\n`);
  }

  #remove(gpu: FakeGpu | undefined): string[] {
    this.gpus = this.gpus.filter((other) => other !== gpu);
    const steps = gpu === undefined ? [] : ['start-exit 0', 'unlink-exit 0', 'remove-exit 0'];
    return [...steps, ...this.#persistencedLine(), ...this.#gpuLines()];
  }

  #isOpen({ minor }: FakeGpu): boolean {
    return this.holders.some((holder) => holder.minor === minor && holder.name !== 'nvidia-persiste');
  }

  #persistencedLine(): string[] {
    return [this.persistenced === 'none' ? 'persistenced none' : `persistenced ${this.persistenced} 99`];
  }

  #gpuLines(): string[] {
    return this.gpus.flatMap(({ uuid, minor, address }) =>
      [`GPU UUID: \t ${uuid}`, `Bus Location: \t ${address}`, `Device Minor: \t ${minor}`].map(
        (line) => `/proc/driver/nvidia/gpus/${address}/information:${line}`,
      ),
    );
  }

  #holderLines(): string[] {
    return [...this.holders.map(({ pid, minor, name }) => `holder ${pid} ${minor} ${name}`), 'scanned 20'];
  }

  #quiesce(gpu: FakeGpu | undefined, isLeft: boolean): string[] {
    const state =
      gpu === undefined
        ? []
        : [
            'drain-exit 0',
            `drain Drain State: ${gpu.draining === true ? 'Draining' : 'Not Draining'}`,
            ...(isLeft ? [] : ['mode-exit 0', 'mode ']),
          ];
    const rest = [
      `machine ${this.isVirtual ? 'virtual' : 'physical'}`,
      ...this.modules.map((name) => `/proc/modules:${name} 1 0 - Live 0x0`),
    ];
    return [...this.#persistencedLine(), ...state, ...rest, ...this.#gpuLines(), ...this.#holderLines()];
  }
}

function said(lines: readonly string[]): ExecOutcome {
  return exited(`${lines.join('\n')}\nend\n`);
}

export function exited(stdout: string, code = 0): ExecOutcome {
  return { tag: 'exited', code, stdout, stderr: '' };
}
