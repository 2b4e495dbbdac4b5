/**
 * Whether the cluster keeps what is written into a status. A CustomResourceDefinition of another release drops, in silence,
 * the fields that it does not know; without some of them no device can be attached safely.
 */
export class StoredFields {
  readonly #crd: string;
  readonly #dropped = new Set<string>();

  /** `crd` is the name of the CustomResourceDefinition. */
  constructor(crd: string) {
    this.#crd = crd;
  }

  /** Compares a status that was sent with the one that the server answered; answers whether all of it was kept. */
  note(sent: object, stored: object = {}): boolean {
    const lost = Object.keys(sent).filter((field) => !Object.hasOwn(stored, field));
    for (const field of Object.keys(sent)) this.#dropped.delete(field);
    for (const field of lost) this.#dropped.add(field);
    return lost.length === 0;
  }

  /** What is wrong and what to do, in one line; `undefined` while everything is kept. */
  get problem(): string | undefined {
    if (this.#dropped.size === 0) return undefined;
    // Sorted: in the order in which they were lost it would read differently after each write, and each be news.
    const fields = [...this.#dropped]
      .sort()
      .map((field) => `status.${field}`)
      .join(', ');
    return `the CustomResourceDefinition ${this.#crd} is outdated: it drops ${fields}, without which no device can be attached safely. Apply the CRDs of this release (deploy/crd)`;
  }
}
