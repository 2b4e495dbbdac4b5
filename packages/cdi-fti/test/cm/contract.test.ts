import { contractSuite } from '@cro/cdi-core/testing';
import type { FabricSimOptions } from '@cro/fabric-sim';
import { afterAll, describe, test } from 'vitest';
import { openCm } from '../support/cm.ts';
import { contractWorld } from '../support/contract-world.ts';

const variants: readonly (readonly [string, Partial<FabricSimOptions>])[] = [
  ['at once', {}],
  ['slow, with 202', { attachMs: 40_000, detachMs: 7_000, resizeStatus: 202 }],
];

describe.each(variants)('contract of a provider, CM %s', (name, options) => {
  const suite = contractSuite(`cdi-fti, Cluster Manager, ${name}`, () => contractWorld(openCm(options)));
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
