/** How often each resource has changed: that is its ETag. */
export class Etags {
  readonly #versions = new Map<string, number>();

  /** The present ETag of a resource. */
  of(uri: string): string {
    return `W/"${this.#versions.get(uri) ?? 1}"`;
  }

  /** Notes a change. */
  bump(uri: string): void {
    this.#versions.set(uri, (this.#versions.get(uri) ?? 1) + 1);
  }
}
