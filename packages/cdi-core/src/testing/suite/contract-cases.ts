import { attachCases } from '../cases/attach.ts';
import { detachCases } from '../cases/detach.ts';
import { edgeCases } from '../cases/edges.ts';
import { interruptedCases } from '../cases/interrupted.ts';
import { listCases } from '../cases/list.ts';
import type { ContractCase } from './contract-case.ts';

/** What every provider has to do. */
export const contractCases: readonly ContractCase[] = [
  ...attachCases,
  ...detachCases,
  ...listCases,
  ...edgeCases,
  ...interruptedCases,
];
