/** A process that a test starts. */
export interface ProcessSpec {
  /** Name, as in `/proc/<pid>/comm`: what is beyond 15 letters is cut off. */
  readonly comm: string;
  /** Path of its program, as nvidia-smi prints it. `comm` unless given. */
  readonly path?: string;
  /** UUIDs of the GPUs whose `/dev/nvidia<minor>` it has open. */
  readonly opens: readonly string[];
  /** Whether it computes on them: nvidia-smi lists only such. True unless given. */
  readonly computes?: boolean;
  /** The MIG device that it computes on, where its GPU has such. */
  readonly mig?: string;
  /** What it has allocated on each. 512 unless given. */
  readonly memoryMiB?: number;
}

/** A process of a host. */
export interface Process {
  readonly pid: number;
  readonly comm: string;
  readonly path: string;
  readonly opens: Set<string>;
  readonly computes: boolean;
  readonly mig: string | undefined;
  readonly memoryMiB: number;
}

/** The kernel keeps so much of a name. */
const COMM_LENGTH = 15;
const FIRST_PID = 1001;

/** The processes of a host. */
export class Processes {
  readonly #byPid = new Map<number, Process>();
  #next = 1;

  constructor() {
    this.#boot();
  }

  start(spec: ProcessSpec): Process {
    const { comm, path = comm, opens, computes = true, mig, memoryMiB = 512 } = spec;
    const process = {
      ...{ pid: this.#next, comm: comm.slice(0, COMM_LENGTH), path, opens: new Set(opens) },
      ...{ computes, mig, memoryMiB },
    };
    this.#next += 1;
    this.#byPid.set(process.pid, process);
    return process;
  }

  end(pid: number): boolean {
    return this.#byPid.delete(pid);
  }

  /** Ends all of them; those that every host has begin anew. */
  endAll(): void {
    this.#byPid.clear();
    this.#boot();
  }

  get(pid: number): Process | undefined {
    return this.#byPid.get(pid);
  }

  list(): readonly Process[] {
    return [...this.#byPid.values()];
  }

  /** Those that have the GPU open. */
  holding(uuid: string): readonly Process[] {
    return this.list().filter(({ opens }) => opens.has(uuid));
  }

  /** Every host has its init, a container runtime and a kubelet. */
  #boot(): void {
    this.#next = 1;
    this.start({ comm: 'systemd', path: '/usr/lib/systemd/systemd', opens: [], computes: false });
    this.#next = FIRST_PID;
    for (const comm of ['containerd', 'kubelet']) this.start({ comm, opens: [], computes: false });
  }
}
