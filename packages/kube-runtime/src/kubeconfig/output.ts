import { Writable } from 'node:stream';

/** Keeps what is written to it, up to a number of bytes. */
export class Output extends Writable {
  readonly #limit: number;
  readonly #onFull: () => void;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(limit: number, onFull: () => void) {
    super();
    this.#limit = limit;
    this.#onFull = onFull;
  }

  /** What was written, as UTF-8. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#length += chunk.length;
    if (this.#length <= this.#limit) this.#chunks.push(chunk);
    else this.#onFull();
    done();
  }
}
