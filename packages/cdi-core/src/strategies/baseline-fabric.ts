import type { Decoded, Failure } from '@cro/crd-types';
import type { CallContext } from '../contract/provider.ts';
import type { Asked, MachineRead, ReadMachine, Wanted } from './fabric.ts';
import type { Failed } from './operation-fabric.ts';
import type { Pace } from './pace.ts';

/** What a fabric supplies whose attach is "one more of these": it reads a machine and asks for one more. */
export interface BaselineFabric {
  readonly read: ReadMachine;
  /** Asks for one more device. Called once. */
  readonly ask: (wanted: Wanted, context: CallContext) => Promise<Asked>;
  /** Milliseconds until it is worth reading the machine again. */
  readonly retryAfterMs: number;
}

/** A machine that could be read: its devices are those that are there and nothing else is happening to. */
export type DevicesRead = Extract<MachineRead, { readonly tag: 'devices' }>;

/**
 * What a machine says of a request whose device is not there yet.
 *
 * - `coming`: the fabric is at work on it. `sign` is what it looks like: while that changes, it moves.
 * - `failed`: it gave up, for this reason, and nothing will come.
 * - `none`: nothing is seen of it. It may still be on its way to the fabric.
 */
export type Progress =
  | { readonly tag: 'coming'; readonly sign?: string }
  | { readonly tag: 'failed'; readonly failure: Failure }
  | { readonly tag: 'none'; readonly failure?: Failure };

/** What was asked for, and what was there before. */
export interface Awaited<Notes> {
  readonly wanted: Wanted;
  readonly notes: Notes;
  /** Whether a device is none of this request's: it was there before, or somebody else has it. */
  readonly isKnown: (cdiDeviceId: string) => boolean;
  /** Milliseconds since this process first looked for it. */
  readonly elapsedMs: number;
}

/**
 * A fabric that accepts "one more of these" and works on it by itself. Its read may show more than devices: what is on its way,
 * what failed, how many are asked for.
 */
export interface AcceptingFabric<Notes, Read extends DevicesRead> {
  readonly read: (machine: string, context: CallContext) => Promise<Read | Exclude<MachineRead, DevicesRead>>;
  /** What `ask` has to know besides, as plain JSON that goes into the ticket; or why one more cannot be asked for now. */
  readonly plan: (wanted: Wanted, read: Read) => { readonly tag: 'planned'; readonly notes: Notes } | Failed;
  /** Checks the notes of a ticket that comes back. */
  readonly decodeNotes: (value: unknown) => Decoded<Notes>;
  /** Asks for one more device. Called once. */
  readonly ask: (wanted: Wanted, context: CallContext, notes: Notes) => Promise<Asked>;
  /** What the machine says of a request whose device is not there yet. */
  readonly progress: (awaited: Awaited<Notes>, read: Read) => Progress;
  /** When to look again, by the ticket's id. */
  readonly pace: Pick<Pace, 'elapsedMs' | 'saw' | 'waitMs' | 'end'>;
}

/** A fabric that answers when the device is there: nothing is on its way that could be seen, and nothing more to be noted. */
export function answersWhenDone(fabric: BaselineFabric): AcceptingFabric<undefined, DevicesRead> {
  return {
    read: fabric.read,
    plan: () => ({ tag: 'planned', notes: undefined }),
    decodeNotes: () => ({ tag: 'ok', object: undefined }),
    ask: fabric.ask,
    progress: () => ({ tag: 'none' }),
    pace: { elapsedMs: () => 0, saw: () => undefined, waitMs: () => fabric.retryAfterMs, end: () => undefined },
  };
}
