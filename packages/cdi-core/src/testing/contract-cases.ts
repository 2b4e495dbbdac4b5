import { attachCases } from './cases/attach.ts';
import { detachCases } from './cases/detach.ts';
import { edgeCases } from './cases/edges.ts';
import { listCases } from './cases/list.ts';
import type { ContractCase } from './contract-world.ts';

/**
 * What every provider has to do, as plain functions for any test runner. Give each case a world of its own:
 *
 *     for (const { name, run } of contractCases) test(name, async () => run(await openWorld()));
 */
export const contractCases: readonly ContractCase[] = [...attachCases, ...detachCases, ...listCases, ...edgeCases];
