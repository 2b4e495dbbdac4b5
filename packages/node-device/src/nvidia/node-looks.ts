/** What this process has last seen on the nodes. It may be lost at any time: it is asked for anew. */
export class NodeLooks {
  readonly #listed = new Map<string, readonly string[]>();
  /** What drivers had when GPUs were last drained, where nothing was listed since. */
  readonly #drained = new Map<string, readonly string[]>();
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
    this.#drained.delete(node);
    this.#listed.set(node, ids);
  }

  /** The ids that a node's driver had in a drain that is the last that was heard of it. */
  drainedOn(node: string): readonly string[] | undefined {
    return this.#drained.get(node);
  }

  /** Notes what a node's driver has in a drain. */
  noteDrained(node: string, ids: readonly string[]): void {
    this.#drained.set(node, ids);
  }

  /** Begins to make what publishes devices see what was looked at just now; answers the number of that look. */
  beginToPublish(): number {
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

  /** The node is gone. That its devices are not published any more is told to nobody: who waits for them waits for the node. */
  forget(node: string): void {
    for (const known of [this.#listed, this.#drained, this.#published, this.#lookOf]) known.delete(node);
  }

  /** Calls `listener` for each device that is published, or is not any more; the result ends that. */
  onPublished(listener: (node: string, deviceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
