import type { JsonObject } from '../base/json.ts';
import { History } from './history.ts';
import { SortedKeys } from './sorted-keys.ts';
import { type Entry, View } from './view.ts';

/** All objects of one resource, in the order of their keys. */
export class Collection {
  readonly history: History;
  readonly #objects = new Map<string, JsonObject>();
  readonly #keys = new SortedKeys();

  constructor(historyWindow: number) {
    this.history = new History(historyWindow);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): JsonObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: JsonObject): void {
    if (!this.#objects.has(key)) this.#keys.add(key);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    if (this.#objects.delete(key)) this.#keys.remove(key);
  }

  /** The entries whose keys begin with `prefix` and come after `after`. */
  *entries(prefix: string, after = ''): Generator<Entry> {
    const keys = this.#keys.all;
    const from = after > prefix ? after : prefix;
    for (let index = this.#keys.indexFrom(from); index < keys.length; index += 1) {
      const key = keys[index];
      if (key?.startsWith(prefix) !== true) return;
      const object = this.#objects.get(key);
      if (key !== after && object !== undefined) yield [key, object];
    }
  }

  /** How many entries begin with `prefix` and come after `after`. */
  count(prefix: string, after = ''): number {
    const from = this.#keys.indexFrom(after > prefix ? after : prefix);
    const skipped = Number(after !== '' && this.#objects.has(after) && after >= prefix);
    return Math.max(0, this.#keys.indexFrom(`${prefix}\uffff`) - from - skipped);
  }

  /** The collection as it was at `version`; undefined when what came since is forgotten. */
  at(version: number): View | undefined {
    const since = this.history.after(version);
    return since === undefined ? undefined : new View(this, since);
  }
}
