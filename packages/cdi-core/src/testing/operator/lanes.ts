import type { Provider } from '../../contract/provider.ts';

/** Lets one operation after the other through each lane of a provider. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` when the lane for a change on `machine` is free. */
  run<T>({ lane }: Pick<Provider, 'lane'>, machine: string, work: () => Promise<T>): Promise<T> {
    const name = lane === 'manager' ? '' : machine;
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(name, result);
    return result;
  }
}
