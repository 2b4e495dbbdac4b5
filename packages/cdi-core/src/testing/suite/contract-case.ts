import type { Capability } from './contract-world.ts';
import type { Stage } from './stage.ts';

/** One requirement of the contract. */
export interface ContractCase {
  readonly name: string;
  /** What its world must be able to do. */
  readonly needs?: readonly Capability[];
  /**
   * Rejects with an AssertionError when the requirement is not met. `open` makes a fresh fabric; the result says for the report how
   * much was tried.
   */
  run(open: () => Stage): Promise<string | undefined>;
}

/** A case that one fresh fabric is enough for. */
export function onOneFabric(
  name: string,
  run: (stage: Stage) => Promise<void>,
  needs: readonly Capability[] = [],
): ContractCase {
  return {
    name,
    needs,
    async run(open) {
      await run(open());
      return undefined;
    },
  };
}
