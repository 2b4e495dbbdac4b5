import { contractSuite } from '@cro/cdi-core/testing';
import { afterAll, describe, test } from 'vitest';
import { contractWorld } from './support/contract-world.ts';
import { openFabric } from './support/fabric.ts';

describe('contract of a provider', () => {
  const suite = contractSuite('cdi-fti, Fabric Manager', () => contractWorld(openFabric()));
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
