const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const SPACE = 0x20;

/** Enough of a string to tell whether it is `items`. */
const KEY_LENGTH = 6;

/**
 * Cuts the body of a LIST into its items while it arrives. One `JSON.parse` of a page of 500 pods stops the event loop
 * for 262 ms; one item takes well under one. It only finds where items begin and end: JSON.parse judges them later.
 */
export class ItemSplitter {
  readonly #onItem: (text: string) => void;
  #where: 'envelope' | 'between' | 'item' = 'envelope';
  readonly #envelope: Buffer[] = [];
  #item: Buffer[] = [];
  /** Open braces and brackets, counted from the list itself or from the item. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #lastString = '';
  #stray = false;

  constructor(onItem: (text: string) => void) {
    this.#onItem = onItem;
  }

  /** The list without its items, as JSON text; `undefined` when something else than objects stood among them. */
  envelope(): string | undefined {
    return this.#stray ? undefined : Buffer.concat(this.#envelope).toString('utf8');
  }

  /** Takes the next bytes, cut anywhere, and reports the items that end in them. */
  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? SPACE;
      if (this.#where === 'between') {
        if (this.#between(byte)) from = at;
      } else if (this.#inString) {
        this.#insideString(byte);
      } else if (this.#structure(byte)) {
        this.#finish(chunk.subarray(from, at + 1));
        from = at + 1;
      }
    }
    // A copy, because the sender may use its buffer again before the rest comes.
    if (this.#where !== 'between' && from < chunk.length) this.#part().push(Buffer.from(chunk.subarray(from)));
  }

  /** Between items: true where an item or the rest of the list begins. */
  #between(byte: number): boolean {
    if (byte === OPEN_BRACE) {
      this.#where = 'item';
      this.#depth = 1;
      return true;
    }
    if (byte === CLOSE_BRACKET) {
      this.#where = 'envelope';
      this.#depth = 1;
      return true;
    }
    if (byte !== COMMA && byte > SPACE) this.#stray = true;
    return false;
  }

  #insideString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
    if (this.#inString && this.#lastString.length < KEY_LENGTH && this.#where === 'envelope') {
      this.#lastString += String.fromCharCode(byte);
    }
  }

  /** Outside strings: true when the list's `items` open, or an item closes. */
  #structure(byte: number): boolean {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#lastString = '';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (this.#opensItems(byte)) return true;
      this.#depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1;
      return this.#where === 'item' && this.#depth === 0;
    }
    return false;
  }

  #opensItems(byte: number): boolean {
    return this.#where === 'envelope' && byte === OPEN_BRACKET && this.#depth === 1 && this.#lastString === 'items';
  }

  #finish(bytes: Buffer): void {
    if (this.#where === 'item') {
      const whole = this.#item.length === 0 ? bytes : Buffer.concat([...this.#item, bytes]);
      this.#item = [];
      this.#onItem(whole.toString('utf8'));
    } else {
      this.#envelope.push(Buffer.from(bytes));
    }
    this.#where = 'between';
  }

  #part(): Buffer[] {
    return this.#where === 'item' ? this.#item : this.#envelope;
  }
}
