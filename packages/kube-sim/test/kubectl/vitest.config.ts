import { defineConfig } from 'vitest/config';

/** The suite that needs the real kubectl; it is not part of the quick tests. */
export default defineConfig({
  test: {
    include: ['test/kubectl/*.test.ts'],
    globalSetup: ['test/kubectl/require-kubectl.ts'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
