import type { DeviceType } from '@cro/crd-types';
import type { Provider } from '../contract/provider.ts';

/** What the contract suite can do to the fabric behind a provider. A faulty call strikes once, at the next change. */
export interface ContractWorld {
  /** A new instance of the provider on the same fabric, as after a restart. */
  restart(): Provider;
  /** A machine that has at most other models attached at the start. */
  readonly machine: string;
  /** Another machine. */
  readonly otherMachine: string;
  /** A kind of device of which at least three are free for either machine. */
  readonly wanted: { readonly type: DeviceType; readonly model: string };
  /** The fabric's ids of the devices of that model on a machine. The fabric itself is asked, not the provider. */
  attached(machine: string): readonly string[];
  /** How many changes the fabric was asked for so far. */
  changes(): number;
  /** The next change happens, and its answer is lost. */
  loseNextAnswer(): void;
  /** The next change is refused, in the fabric's words for a wrong request. */
  refuseNext(): void;
  /** No device of the wanted model is free from now on. */
  exhaust(): void;
  /** Reads of this machine fail from now on; with {@link listsAtOnce}, of all of them. */
  breakReads(machine: string): void;
  /** One read of the fabric shows every machine, so that they can be read all or none. */
  readonly listsAtOnce?: boolean;
  /** Lets time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
  /** Lets this much time pass. Absent: the fabric is done when it answers. */
  wait?(ms: number): Promise<void>;
  /** What must not turn up in tickets, messages or logs. */
  readonly secrets: readonly string[];
  /** Everything that was logged. */
  logged(): string;
}

/** One requirement of the contract. `run` rejects with an AssertionError when it is not met. */
export interface ContractCase {
  readonly name: string;
  run(world: ContractWorld): Promise<void>;
}
