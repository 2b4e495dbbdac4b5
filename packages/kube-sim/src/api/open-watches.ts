/** A watch that runs. */
export interface OpenWatch {
  readonly group: string;
  readonly plural: string;
  readonly userAgent: string;
  /** Ends the stream as a server does at its timeout. */
  end(): void;
  /** Breaks the connection. */
  cut(): void;
}

/** The watches that run now. */
export class OpenWatches {
  readonly #watches = new Set<OpenWatch>();

  get size(): number {
    return this.#watches.size;
  }

  /** Adds one; the result takes it out again. */
  add(watch: OpenWatch): () => void {
    this.#watches.add(watch);
    return () => {
      this.#watches.delete(watch);
    };
  }

  /** Stops the watches that `which` picks, cleanly or by cutting the connection. Answers how many. */
  close(how: 'end' | 'cut', which: (watch: OpenWatch) => boolean = () => true): number {
    const picked = [...this.#watches].filter(which);
    for (const watch of picked) {
      if (how === 'end') watch.end();
      else watch.cut();
    }
    return picked.length;
  }
}
