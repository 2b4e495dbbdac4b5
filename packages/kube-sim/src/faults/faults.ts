import type { RequestFacts } from '../core/describe-call.ts';
import type { Fault, Trouble } from './fault.ts';

interface Armed {
  readonly fault: Fault;
  matched: number;
}

/** The faults that wait for their request. */
export class Faults {
  readonly #armed = new Set<Armed>();

  /** How many have not struck to the end. */
  get pending(): number {
    return this.#armed.size;
  }

  /** Arms a fault. The result disarms it. */
  add(fault: Fault): () => void {
    const armed = { fault, matched: 0 };
    this.#armed.add(armed);
    return () => {
      this.#armed.delete(armed);
    };
  }

  /** Disarms all. */
  clear(): void {
    this.#armed.clear();
  }

  /** Counts a request, and answers what goes wrong with it. */
  strike(request: RequestFacts): { readonly before: readonly Trouble[]; readonly after: readonly Trouble[] } {
    const before: Trouble[] = [];
    const after: Trouble[] = [];
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (!fault.match(request)) continue;
      armed.matched += 1;
      const first = fault.nth ?? 1;
      const last = first + (fault.times ?? 1) - 1;
      if (armed.matched >= last) this.#armed.delete(armed);
      if (armed.matched >= first) (fault.when === 'before' ? before : after).push(fault.trouble);
    }
    return { before, after };
  }
}
