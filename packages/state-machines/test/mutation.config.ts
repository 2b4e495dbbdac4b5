import { defineConfig } from 'vitest/config';

/** The tests by which mutants are judged: all but those that visit every combination, which take seconds each. */
export default defineConfig({
  resolve: { conditions: ['@cro/source'] },
  ssr: { resolve: { conditions: ['@cro/source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/explore.test.ts', 'test/**/totality.test.ts'],
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
