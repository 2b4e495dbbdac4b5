import type { JsonObject } from '../base/json.ts';
import { History } from './history.ts';
import { SortedKeys } from './sorted-keys.ts';

/** A key and its object. */
export type Entry = readonly [key: string, object: JsonObject];

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

  /** The same at an older resourceVersion; undefined when what came since is forgotten. */
  entriesAt(version: number, prefix: string, after = ''): Iterable<Entry> | undefined {
    const since = this.history.after(version);
    if (since === undefined) return undefined;
    if (since.length === 0) return this.entries(prefix, after);
    const before = new Map<string, JsonObject | undefined>();
    for (const change of since) if (!before.has(change.key)) before.set(change.key, change.previous);
    const old: Entry[] = [];
    for (const [key, object] of before) {
      if (object !== undefined && key.startsWith(prefix) && key > after) old.push([key, object]);
    }
    const unchanged = [...this.entries(prefix, after)].filter(([key]) => !before.has(key));
    return [...unchanged, ...old].sort(([left], [right]) => (left < right ? -1 : 1));
  }
}
