import { WaitingLine } from '@cro/kube-runtime';

/**
 * One action at a time on a node: a listing of GPUs opens every GPU for a moment, and would stand in the way of one that
 * leaves; and the persistence daemon serves all of them.
 */
export class Turns {
  /** Who waits, by node; there while somebody has the turn. */
  readonly #lines = new Map<string, WaitingLine>();

  /** Does work when it is its turn on the node. `next` says whether somebody waits behind it. Rejects when `signal` aborts. */
  async take<T>(node: string, signal: AbortSignal, work: (next: () => boolean) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const present = this.#lines.get(node);
    const line = present ?? new WaitingLine();
    this.#lines.set(node, line);
    if (present !== undefined && (await present.join(signal)) === 'left') signal.throwIfAborted();
    try {
      return await work(() => line.length > 0);
    } finally {
      if (!line.callNext()) this.#lines.delete(node);
    }
  }
}
