/** A watch that runs. */
export interface OpenWatch {
  readonly group: string;
  readonly plural: string;
  readonly userAgent: string;
  /** Ends the stream as a server does at its timeout. */
  end(): void;
  /** Breaks the connection. */
  cut(): void;
  /** Keeps back what happens, until it is called with false. */
  hold(held: boolean): void;
}

/** Picks watches. */
export type PickWatch = (watch: OpenWatch) => boolean;

const EVERY: PickWatch = () => true;

/** The watches that run now. */
export class OpenWatches {
  readonly #watches = new Set<OpenWatch>();
  readonly #holds = new Set<PickWatch>();

  get size(): number {
    return this.#watches.size;
  }

  /** Adds one; the result takes it out again. */
  add(watch: OpenWatch): () => void {
    this.#watches.add(watch);
    this.#settle(watch);
    return () => {
      this.#watches.delete(watch);
    };
  }

  /** Stops the watches that `which` picks, cleanly or by cutting the connection. Answers how many. */
  close(how: 'end' | 'cut', which: PickWatch = EVERY): number {
    const picked = [...this.#watches].filter(which);
    for (const watch of picked) {
      if (how === 'end') watch.end();
      else watch.cut();
    }
    return picked.length;
  }

  /** Keeps events back from the watches that `which` picks, those to come included: clients see an old world. */
  hold(which: PickWatch = EVERY): () => void {
    // A pick of its own, so that two holds with one function are two.
    const pick: PickWatch = (watch) => which(watch);
    this.#holds.add(pick);
    for (const watch of this.#watches) this.#settle(watch);
    return () => {
      this.#holds.delete(pick);
      for (const watch of this.#watches) this.#settle(watch);
    };
  }

  #settle(watch: OpenWatch): void {
    watch.hold([...this.#holds].some((pick) => pick(watch)));
  }
}
