import type { JsonObject } from '../base/json.ts';
import type { Change } from './change.ts';

/** A key and its object. */
export type Entry = readonly [key: string, object: JsonObject];

/** What is there now. */
export interface Present {
  get(key: string): JsonObject | undefined;
  entries(prefix: string, after: string): Iterable<Entry>;
  count(prefix: string, after: string): number;
}

/** A collection as it was at a version: what is there now, less what happened since. Reading a page costs a page. */
export class View {
  readonly #collection: Present;
  /** What each changed object was before; undefined for one that did not exist. */
  readonly #before = new Map<string, JsonObject | undefined>();

  /** `since` are the changes after the version of the view, oldest first. */
  constructor(collection: Present, since: readonly Change[]) {
    this.#collection = collection;
    for (const { key, previous } of since) if (!this.#before.has(key)) this.#before.set(key, previous);
  }

  /** The entries whose keys begin with `prefix` and come after `after`, in order. */
  *entries(prefix: string, after: string): Generator<Entry> {
    const old = [...this.#old(prefix, after)].sort(([left], [right]) => (left < right ? -1 : 1));
    let next = 0;
    for (const entry of this.#collection.entries(prefix, after)) {
      // An object that was changed since stands in `old` under the same key; one that was added since does not.
      for (let past = old[next]; past !== undefined && past[0] <= entry[0]; past = old[next]) {
        yield past;
        next += 1;
      }
      if (!this.#before.has(entry[0])) yield entry;
    }
    yield* old.slice(next);
  }

  /** How many entries there are after `after`. */
  count(prefix: string, after: string): number {
    let count = this.#collection.count(prefix, after);
    for (const [key, object] of this.#before) {
      if (!key.startsWith(prefix) || key <= after) continue;
      count += Number(object !== undefined) - Number(this.#collection.get(key) !== undefined);
    }
    return count;
  }

  *#old(prefix: string, after: string): Generator<Entry> {
    for (const [key, object] of this.#before) {
      if (object !== undefined && key.startsWith(prefix) && key > after) yield [key, object];
    }
  }
}
