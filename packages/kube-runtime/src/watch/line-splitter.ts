const NEWLINE = 10;

/** Cuts a stream of bytes into lines, wherever its chunks are cut. */
export class LineSplitter {
  #rest: Buffer[] = [];

  /** The lines that end in these bytes, without their newline. Empty lines are left out. */
  *push(bytes: Uint8Array): Generator<string> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = this.#join(chunk.subarray(from, end));
      from = end + 1;
      if (line !== '') yield line;
    }
    // A copy, because the sender may use its buffer again before the rest comes.
    if (from < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(from)));
  }

  #join(end: Buffer): string {
    if (this.#rest.length === 0) return end.toString('utf8');
    const line = Buffer.concat([...this.#rest, end]).toString('utf8');
    this.#rest = [];
    return line;
  }
}
