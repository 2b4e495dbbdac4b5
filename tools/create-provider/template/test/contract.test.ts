import { contractSuite } from '@cro/cdi-core/testing';
import { afterAll, describe, test } from 'vitest';
import { openWorld } from './world.ts';

describe('my-fabric keeps the contract', () => {
  const suite = contractSuite('my-fabric', openWorld);
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
