/** Keys in order, so that a page of a list costs what the page holds and not what the collection holds. */
export class SortedKeys {
  readonly #keys: string[] = [];

  get all(): readonly string[] {
    return this.#keys;
  }

  add(key: string): void {
    const last = this.#keys.at(-1);
    if (last === undefined || last < key) {
      this.#keys.push(key);
      return;
    }
    const index = this.indexFrom(key);
    if (this.#keys[index] !== key) this.#keys.splice(index, 0, key);
  }

  remove(key: string): void {
    const index = this.indexFrom(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** The index of the first key that is not before `key`. */
  indexFrom(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#keys[middle];
      if (found !== undefined && found < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
