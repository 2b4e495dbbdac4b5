import { defineConfig } from 'vitest/config';

/** The way of a stranger, from an empty folder to a device: it installs from a registry, so it is no part of the quick tests. */
export default defineConfig({
  resolve: { conditions: ['@cro/source'] },
  ssr: { resolve: { conditions: ['@cro/source'] } },
  test: {
    include: ['test/installed/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
});
