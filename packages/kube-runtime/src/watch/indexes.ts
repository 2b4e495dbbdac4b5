/** How an object is found besides by its name: the values under which it stands. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Sets of keys by index and value, kept up to date with every change. */
export class Indexes<T> {
  readonly #functions: ReadonlyMap<string, IndexFunction<T>>;
  readonly #keys = new Map<string, Map<string, Set<string>>>();

  constructor(functions: Readonly<Record<string, IndexFunction<T>>>) {
    this.#functions = new Map(Object.entries(functions));
    for (const name of this.#functions.keys()) this.#keys.set(name, new Map());
  }

  /** The keys under a value. An index that was never defined is a mistake of the caller, and thrown. */
  keys(index: string, value: string): ReadonlySet<string> {
    const values = this.#keys.get(index);
    if (values === undefined) {
      throw new Error(`no index ${JSON.stringify(index)}; there are: ${[...this.#keys.keys()].join(', ') || 'none'}`);
    }
    return values.get(value) ?? new Set();
  }

  /** Moves a key from the values of the old object to those of the new one. */
  move(key: string, previous: T | undefined, next: T | undefined): void {
    for (const [name, valuesOf] of this.#functions) {
      const values = this.#keys.get(name) ?? new Map<string, Set<string>>();
      if (previous !== undefined) for (const value of valuesOf(previous)) remove(values, value, key);
      if (next !== undefined) for (const value of valuesOf(next)) add(values, value, key);
    }
  }
}

function add(values: Map<string, Set<string>>, value: string, key: string): void {
  const keys = values.get(value);
  if (keys === undefined) values.set(value, new Set([key]));
  else keys.add(key);
}

function remove(values: Map<string, Set<string>>, value: string, key: string): void {
  const keys = values.get(value);
  if (keys === undefined) return;
  keys.delete(key);
  if (keys.size === 0) values.delete(value);
}
