import type { Capability, ContractWorld } from './contract-world.ts';
import { contractCases } from './contract-cases.ts';
import type { ContractCase } from './contract-case.ts';
import { reportOf, type CaseResult } from './report.ts';
import { Stage } from './stage.ts';

/** The contract suite on one provider, for any test runner. */
export interface ContractSuite {
  /** Each rejects with an AssertionError when its requirement is not met. */
  readonly cases: readonly { readonly name: string; run(): Promise<void> }[];
  /** A table of what is proven so far, what failed, and what the world cannot show and why. */
  report(): string;
}

/**
 * What every provider has to do. `open` makes a fresh fabric with the provider before it; `title` stands above the report.
 *
 *     const suite = contractSuite('acme', openWorld);
 *     test.each(suite.cases)('$name', ({ run }) => run());
 *     afterAll(() => console.log(suite.report()));
 */
export function contractSuite(title: string, open: () => ContractWorld): ContractSuite {
  const results = new Map<string, CaseResult>();
  const cases = contractCases.map((one) => ({
    name: one.name,
    async run() {
      results.set(one.name, { tag: 'failed' });
      results.set(one.name, await resultOf(one, open));
    },
  }));
  return { cases, report: () => reportOf(title, contractCases, results) };
}

async function resultOf(one: ContractCase, open: () => ContractWorld): Promise<CaseResult> {
  const reasons = missing(one.needs ?? [], open());
  if (reasons.length > 0) return { tag: 'notShown', reason: reasons.join('; ') };
  const stages: Stage[] = [];
  const note = await one.run(() => {
    const stage = new Stage(open());
    stages.push(stage);
    return stage;
  });
  for (const stage of stages) stage.assertPresentable();
  return { tag: 'proven', note };
}

/** Why a world cannot show a case. One that does not say why is not taken at its word. */
function missing(needs: readonly Capability[], world: ContractWorld): string[] {
  return needs
    .filter((need) => world[need] === undefined)
    .map((need) => {
      const reason = world.cannot?.[need];
      if (reason !== undefined && reason !== '') return reason;
      throw new Error(`the world has no '${need}': supply it, or say why not in cannot.${need}`);
    });
}
