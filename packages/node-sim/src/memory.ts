import type { Cancel, Clock } from '@cro/clock';
import type { Device } from '@cro/fabric-sim';
import type { Api } from './api.ts';
import type { Delays } from './driver.ts';
import { setNodeResource } from './node-client.ts';
import type { NodeSpec } from './node-object.ts';
import type { RetryHost } from './retry.ts';

/** What a node's memory is made of. */
export interface NodeMemoryOptions {
  readonly clock: Clock;
  readonly api: Api;
  readonly host: RetryHost;
  readonly delaysOf: (resUuid: string) => Delays;
  /** What part of the memory that comes is left when the kernel has taken what it needs to keep account of it. */
  readonly share: number;
}

/** A node's kubelet, as far as memory goes: memory that comes or leaves shows as capacity of the Node after a while. */
export class NodeMemory {
  readonly #options: NodeMemoryOptions;
  readonly #spec: NodeSpec;
  readonly #present = new Map<string, number>();
  readonly #timers = new Map<string, Cancel>();
  #running: Promise<void> | undefined;
  #dirty = false;

  constructor(options: NodeMemoryOptions, spec: NodeSpec) {
    this.#options = options;
    this.#spec = spec;
  }

  /** The memory that was there before the kubelet: shown at once. */
  start(devices: readonly Device[]): void {
    for (const device of devices) this.#set(device, true);
  }

  /** Memory has come to the machine. */
  attached(device: Device): void {
    this.#later(device, this.#options.delaysOf(device.resUuid).publishMs, true);
  }

  /** Memory has left the machine. */
  detached(device: Device): void {
    this.#later(device, this.#options.delaysOf(device.resUuid).withdrawMs, false);
  }

  /** Resolves when the Node shows what is there, or cannot: see the reports. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Ends it: what waits for its delay will not happen. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#dirty = false;
  }

  #later(device: Device, ms: number, isPresent: boolean): void {
    const { resUuid } = device;
    this.#timers.get(resUuid)?.();
    this.#timers.delete(resUuid);
    const act = () => {
      this.#timers.delete(resUuid);
      this.#set(device, isPresent);
    };
    if (ms <= 0) act();
    else if (Number.isFinite(ms)) this.#timers.set(resUuid, this.#options.clock.after(ms, act));
  }

  #set({ resUuid, memoryMiB }: Device, isPresent: boolean): void {
    if (memoryMiB === undefined) return;
    if (isPresent) this.#present.set(resUuid, memoryMiB);
    else this.#present.delete(resUuid);
    this.#dirty = true;
    this.#running ??= this.#write();
  }

  /** One write after the other; changes that come meanwhile go in one. */
  async #write(): Promise<void> {
    const { api, host, share } = this.#options;
    while (this.#dirty && !host.signal.aborted) {
      this.#dirty = false;
      const addedMiB = [...this.#present.values()].reduce((sum, size) => sum + size, 0);
      const memory = `${kibIn(this.#spec) + Math.floor(addedMiB * share * 1024)}Ki`;
      // Refused or not, the report has it; the next change tries again.
      await setNodeResource(api, host, this.#spec.name, 'memory', memory);
    }
    this.#running = undefined;
  }
}

const KIB: Readonly<Record<string, number>> = { Ki: 1, Mi: 2 ** 10, Gi: 2 ** 20, Ti: 2 ** 30 };

/** The memory that a node has by itself, in KiB. */
function kibIn({ name, memory = '16Gi' }: NodeSpec): number {
  const [, count, unit = ''] = /^(\d+)(Ki|Mi|Gi|Ti)$/.exec(memory) ?? [];
  const factor = KIB[unit];
  if (count === undefined || factor === undefined) {
    throw new Error(
      `node ${name}: memory is '${memory}', a number with Ki, Mi, Gi or Ti is accepted where memory is attached`,
    );
  }
  return Number(count) * factor;
}
