import { rulesFor } from './tools/workspace/src/layers/rules.js';
import { readWorkspace } from './tools/workspace/src/layers/workspace.js';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rulesFor(readWorkspace(import.meta.dirname)),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:packages|apps|tools)/[^/]+/(?:dist|coverage)/' },
    // An import of a type is a dependency too.
    tsPreCompilationDeps: true,
    // Test tools stand in the root's package.json.
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@cro/source', 'import', 'node', 'default', 'types'],
    },
  },
};
