/** Longer texts are rarely equal. */
const LONGEST = 64;

/** Names and uids fill the pool; what is common comes back into it at once after it was emptied. */
const CAPACITY = 2_048;

/** Makes equal strings one and the same, so that they take memory once. It forgets by being emptied when it is full. */
export class StringPool {
  readonly #strings = new Map<string, string>();

  /** The same text; where it was seen lately, the very same string. */
  share(text: string): string {
    if (text.length > LONGEST) return text;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    if (this.#strings.size >= CAPACITY) this.#strings.clear();
    this.#strings.set(text, text);
    return text;
  }
}
