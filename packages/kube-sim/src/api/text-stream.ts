/** Text that is written now and read later: the body of a watch. */
export class TextStream implements AsyncIterable<string> {
  readonly #chunks: string[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;
  #held = false;
  readonly #onClose: () => void;

  /** `onClose` is called once, when the stream ends from either side. */
  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  write(chunk: string): void {
    if (this.#end !== undefined) return;
    this.#chunks.push(chunk);
    this.#wakeReader();
  }

  /** While held, the reader gets nothing; what was written is lost when the stream ends before it is let go. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#wakeReader();
  }

  /** Ends the stream after what was written; with an error, the reader gets it thrown. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#onClose();
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        if (this.#chunks.length > 0 && !this.#held) yield this.#chunks.splice(0).join('');
        else if (this.#end === undefined) await this.#written();
        else break;
      }
      if (this.#end.error !== undefined) throw this.#end.error;
    } finally {
      this.end();
    }
  }

  #written(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
