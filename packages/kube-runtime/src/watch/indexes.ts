/** How an object is found besides by its name: the values under which it stands. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** The keys under one value. Most values have one key (an owner, a uid), for which a Set would take 200 bytes. */
type Keys = string | Set<string>;

const none: readonly string[] = [];

/** Keys by index and value, kept up to date with every change. */
export class Indexes<T> {
  readonly #indexes = new Map<string, { readonly valuesOf: IndexFunction<T>; readonly keys: Map<string, Keys> }>();

  constructor(functions: Readonly<Record<string, IndexFunction<T>>>) {
    for (const [name, valuesOf] of Object.entries(functions)) this.#indexes.set(name, { valuesOf, keys: new Map() });
  }

  /** The keys under a value. An index that was never defined is a mistake of the caller, and thrown. */
  keys(index: string, value: string): Iterable<string> {
    const found = this.#indexes.get(index);
    if (found === undefined) {
      throw new Error(
        `no index ${JSON.stringify(index)}; there are: ${[...this.#indexes.keys()].join(', ') || 'none'}`,
      );
    }
    const keys = found.keys.get(value);
    return typeof keys === 'string' ? [keys] : (keys ?? none);
  }

  /** Moves a key from the values of the old object to those of the new one. */
  move(key: string, previous: T | undefined, next: T | undefined): void {
    for (const { valuesOf, keys } of this.#indexes.values()) {
      if (previous !== undefined) for (const value of valuesOf(previous)) remove(keys, value, key);
      if (next !== undefined) for (const value of valuesOf(next)) add(keys, value, key);
    }
  }
}

function add(values: Map<string, Keys>, value: string, key: string): void {
  const keys = values.get(value);
  if (keys === undefined) values.set(value, key);
  else if (typeof keys !== 'string') keys.add(key);
  else if (keys !== key) values.set(value, new Set([keys, key]));
}

function remove(values: Map<string, Keys>, value: string, key: string): void {
  const keys = values.get(value);
  if (keys === undefined) return;
  if (typeof keys === 'string') {
    if (keys === key) values.delete(value);
    return;
  }
  keys.delete(key);
  if (keys.size === 0) values.delete(value);
}
