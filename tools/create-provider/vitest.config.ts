import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** The template is a project that works as it stands, so its tests run here too. */
export default mergeConfig(
  base,
  defineConfig({ test: { include: ['template/test/**/*.test.ts'], exclude: ['test/installed/**'] } }),
);
