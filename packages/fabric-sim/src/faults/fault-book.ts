import type { CallKind } from '../core/call.ts';
import type { Effect } from './effect.ts';

/** A fault to come: which calls it strikes, and what it does to them. */
export interface Fault {
  /** Strikes calls of this kind. Any kind unless given. */
  readonly kind?: CallKind;
  /** Strikes calls that name this machine. Any machine unless given. */
  readonly machine?: string;
  /** Strikes calls of this path, which has no query. Any path unless given. */
  readonly path?: string;
  /** Begins with the nth call that matches, counted from 1 when the fault is added. The first unless given. */
  readonly nth?: number;
  /** How many calls it strikes: 1 unless given, `Infinity` until it is removed. */
  readonly times?: number;
  readonly effect: Effect;
}

/** A fault that was added. */
export interface ArmedFault {
  /** How many calls it has struck. */
  hits(): number;
  /** Ends it. */
  remove(): void;
}

interface Armed {
  readonly fault: Fault;
  seen: number;
  hits: number;
}

/** The faults that wait for their calls. */
export class FaultBook {
  readonly #armed = new Set<Armed>();

  /**
   * Adds a fault. Several may strike one call, in the order in which they were added; but of those that take the place of
   * the answer (`answer`, `loseReply`, `hang`) one call gets the first, and the others wait for the next call.
   */
  add(fault: Fault): ArmedFault {
    const armed: Armed = { fault, seen: 0, hits: 0 };
    this.#armed.add(armed);
    return { hits: () => armed.hits, remove: () => void this.#armed.delete(armed) };
  }

  /** Ends all faults. */
  clear(): void {
    this.#armed.clear();
  }

  /** Whether a call like this would get no answer of its own. Counts nothing. */
  wouldBreak(kind: CallKind, machine: string): boolean {
    return [...this.#armed].some(({ fault }) => {
      const isMeant = fault.machine === machine && (fault.kind === undefined || fault.kind === kind);
      return isMeant && endsCall(fault.effect);
    });
  }

  /** The effects that strike this call; counts it. */
  take(kind: CallKind, machine: string | undefined, path: string): readonly Effect[] {
    const effects: Effect[] = [];
    for (const armed of this.#armed) {
      if (!isDue(armed, kind, machine, path)) continue;
      if (endsCall(armed.fault.effect) && effects.some(endsCall)) continue;
      armed.hits += 1;
      if (armed.hits >= (armed.fault.times ?? 1)) this.#armed.delete(armed);
      effects.push(armed.fault.effect);
    }
    return effects;
  }
}

function isDue(armed: Armed, kind: CallKind, machine: string | undefined, path: string): boolean {
  const { fault } = armed;
  if (fault.kind !== undefined && fault.kind !== kind) return false;
  if (fault.machine !== undefined && fault.machine !== machine) return false;
  if (fault.path !== undefined && fault.path !== path.replace(/\?.*$/, '')) return false;
  armed.seen += 1;
  return armed.seen >= (fault.nth ?? 1);
}

function endsCall(effect: Effect): boolean {
  return effect.tag === 'answer' || effect.tag === 'loseReply' || effect.tag === 'hang';
}
