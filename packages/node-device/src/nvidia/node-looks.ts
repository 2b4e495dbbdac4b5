/** What this process has last seen on the nodes. It may be lost at any time: it is asked for anew. */
export class NodeLooks {
  readonly #listed = new Map<string, readonly string[]>();
  readonly #published = new Map<string, ReadonlySet<string>>();
  /** By which look a node's publisher was last made to see what it has. */
  readonly #lookOf = new Map<string, number>();
  #looks = 0;
  readonly #listeners = new Set<(node: string, deviceId: string) => void>();

  /** The ids of the GPUs that a node had when they were listed last. */
  listedOn(node: string): readonly string[] | undefined {
    return this.#listed.get(node);
  }

  /** The ids that a node had when what publishes devices was last made to look. */
  publishedOn(node: string): ReadonlySet<string> | undefined {
    return this.#published.get(node);
  }

  /** Notes what a node has. */
  noteListed(node: string, ids: readonly string[]): void {
    this.#listed.set(node, ids);
  }

  /** Begins to make a node's publisher see what was just listed; answers the number of that look. */
  beginToPublish(node: string, ids: readonly string[]): number {
    this.noteListed(node, ids);
    this.#looks += 1;
    return this.#looks;
  }

  /** Notes what a node's publisher has been made to see, and tells what that changes. What a later look has overtaken is of no use. */
  notePublished(node: string, ids: readonly string[], look: number): void {
    if (look < (this.#lookOf.get(node) ?? 0)) return;
    this.#lookOf.set(node, look);
    const before = this.#published.get(node) ?? new Set<string>();
    const after = new Set(ids);
    this.#published.set(node, after);
    const changed = [...after].filter((id) => !before.has(id)).concat([...before].filter((id) => !after.has(id)));
    for (const id of changed) for (const listener of this.#listeners) listener(node, id);
  }

  /** Calls `listener` for each device that is published, or is not any more; the result ends that. */
  onPublished(listener: (node: string, deviceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
