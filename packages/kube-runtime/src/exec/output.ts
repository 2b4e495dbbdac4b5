/**
 * Keeps what a command writes, up to a number of bytes. The bytes are copied: kept as it came, a message of one byte would take a
 * hundred, and one of none would take them for ever.
 */
export class Output {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What was written, as UTF-8. */
  get text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  /** Adds to it; `full` when that is more than may be kept: then nothing of it is. */
  add(chunk: Buffer): 'kept' | 'full' {
    const length = this.#length + chunk.length;
    if (length > this.#limit) return 'full';
    if (length > this.#bytes.length) this.#grow(length);
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return 'kept';
  }

  #grow(atLeast: number): void {
    const bytes = Buffer.alloc(Math.min(this.#limit, Math.max(atLeast, this.#bytes.length * 2)));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
