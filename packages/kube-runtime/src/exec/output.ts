/** Keeps what a command writes, up to a number of bytes. */
export class Output {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was written, as UTF-8. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** Adds to it; `full` when that is more than may be kept. */
  add(chunk: Buffer): 'kept' | 'full' {
    this.#length += chunk.length;
    if (this.#length > this.#limit) return 'full';
    this.#chunks.push(chunk);
    return 'kept';
  }
}
