import type { Change, Listener } from './change.ts';

/**
 * The last changes of one collection. What is older is forgotten, and whoever asks for it is told so: as in the real
 * server's watch cache and compaction.
 */
export class History {
  #changes: Change[] = [];
  #forgotten = 0;
  readonly #window: number;
  readonly listeners = new Set<Listener>();

  /** `window` is the number of changes that are kept. */
  constructor(window: number) {
    this.#window = window;
  }

  /** Changes up to this resourceVersion are forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  add(change: Change): void {
    this.#changes.push(change);
    // Cutting a quarter at a time keeps the cost of a write constant.
    if (this.#changes.length > this.#window + Math.ceil(this.#window / 4))
      this.#cut(this.#changes.length - this.#window);
    for (const listener of [...this.listeners]) listener(change);
  }

  /** The changes after `version`, oldest first; undefined when some of them are forgotten. */
  after(version: number): readonly Change[] | undefined {
    if (version < this.#forgotten) return undefined;
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  /** Forgets all changes up to `version`. */
  compact(version: number): void {
    const kept = this.#changes.filter((change) => change.version > version);
    this.#changes = kept;
    this.#forgotten = Math.max(this.#forgotten, version);
  }

  #cut(count: number): void {
    this.#forgotten = this.#changes[count - 1]?.version ?? this.#forgotten;
    this.#changes = this.#changes.slice(count);
  }
}
