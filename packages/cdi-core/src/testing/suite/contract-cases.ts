import { attachCases } from '../cases/attach.ts';
import { concurrentCases } from '../cases/concurrent.ts';
import { detachCases } from '../cases/detach.ts';
import { edgeCases } from '../cases/edges.ts';
import { elsewhereCases } from '../cases/elsewhere.ts';
import { hinderedCases } from '../cases/hindered.ts';
import { hostileCases } from '../cases/hostile.ts';
import { interruptedCases } from '../cases/interrupted.ts';
import { listCases } from '../cases/list.ts';
import { stoppedCases } from '../cases/stopped.ts';
import type { ContractCase } from './contract-case.ts';

/** What every provider has to do. */
export const contractCases: readonly ContractCase[] = [
  ...attachCases,
  ...detachCases,
  ...listCases,
  ...edgeCases,
  ...concurrentCases,
  ...elsewhereCases,
  ...hinderedCases,
  ...hostileCases,
  ...stoppedCases,
  ...interruptedCases,
];
