import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@cro/source'] },
  ssr: { resolve: { conditions: ['@cro/source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // A net for what hangs, not a measure: a busy machine is slow.
    testTimeout: 60_000,
    // Two cores: more workers than that only make each test slower.
    maxWorkers: 2,
    // The JSON is what tests are counted from (tools/workspace/src/count-tests.js).
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
});
