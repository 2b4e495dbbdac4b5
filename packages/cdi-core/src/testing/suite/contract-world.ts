import type { Clock } from '@cro/clock';
import type { DeviceType } from '@cro/crd-types';
import type { Http } from '../../contract/host.ts';
import type { Provider } from '../../contract/provider.ts';

/** What not every test can do to its fabric. A case that needs it is left out, and the report says why. */
export type Capability = 'http' | 'expireTokens' | 'move' | 'busyNext' | 'block';

/** What the contract suite can do to the fabric behind a provider. A fault strikes once, at the next change. */
export interface ContractWorld {
  /** A new instance of the provider on the same fabric, as after a restart, which sends its requests through `http`. */
  restart(http?: Http): Provider;
  /** The provider's way to the fabric, which the suite makes unreliable. Absent: it speaks something else than HTTP. */
  readonly http?: Http;
  /** The clock of provider and fabric. */
  readonly clock: Clock;
  /** Lets time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
  /** Lets this much time pass. */
  wait(ms: number): Promise<void>;
  /** A machine that has at most other models attached at the start. */
  readonly machine: string;
  /** Another machine. */
  readonly otherMachine: string;
  /** A kind of device of which at least four are free for either machine. */
  readonly wanted: { readonly type: DeviceType; readonly model: string };
  /** The fabric's ids of the devices of that model on a machine. The fabric itself is asked, not the provider. */
  attached(machine: string): readonly string[];
  /** How many changes the fabric was asked for so far. */
  changes(): number;
  /** The next change happens, and its answer is lost. */
  loseNextAnswer(): void;
  /** The next change is refused, in the fabric's words for a wrong request and with `text` for a reason. */
  refuseNext(text?: string): void;
  /** No device of the wanted model is free from now on. */
  exhaust(): void;
  /** Reads of this machine fail from now on; with {@link listsAtOnce}, of all of them. */
  breakReads(machine: string): void;
  /** One read of the fabric shows every machine, so that they can be read all or none. */
  readonly listsAtOnce?: boolean;
  /** The fabric takes none of the tokens any more that it has given out. It gives out new ones. */
  expireTokens?(): void;
  /** Moves a device by hand, to a machine or to the pool (`undefined`): no provider is asked, and it is no change. */
  move?(cdiDeviceId: string, machine: string | undefined): void;
  /** The next change is refused because the fabric is at work on something else. */
  busyNext?(): void;
  /** Nothing can be changed until a person acts; the result is what the person does. */
  block?(): () => void;
  /** What this test cannot do to its fabric, and why. */
  readonly cannot?: Readonly<Partial<Record<Capability, string>>>;
  /** What must not turn up in tickets, messages or logs. */
  readonly secrets: readonly string[];
  /** Everything that was logged. */
  logged(): readonly unknown[];
}
