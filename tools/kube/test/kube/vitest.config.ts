import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { RolesLast } from './support/roles-last.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;
if (!hasKubectl) process.stderr.write('there is no kubectl on the PATH: kubectl-*.test.ts is left out\n');

/** The suites that need a real control plane; they are not part of the quick tests. */
export default defineConfig({
  resolve: { conditions: ['@cro/source'] },
  ssr: { resolve: { conditions: ['@cro/source'] } },
  test: {
    include: ['test/kube/*.test.ts'],
    exclude: hasKubectl ? [] : ['test/kube/kubectl-*.test.ts'],
    setupFiles: ['./test/kube/support/setup.ts'],
    globalSetup: ['test/kube/support/require-kube.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a control plane of its own: one after the other.
    fileParallelism: false,
    sequence: { sequencer: RolesLast },
    reporters: ['default', 'json'],
    outputFile: { json: 'coverage/tests.json' },
  },
});
