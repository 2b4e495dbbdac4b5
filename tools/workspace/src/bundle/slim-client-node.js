import { fileURLToPath } from 'node:url';

const CLIENT_NODE = '/node_modules/@kubernetes/client-node/';
const NO_UNDICI = fileURLToPath(new URL('no-undici.js', import.meta.url));

/**
 * Takes from @kubernetes/client-node what is used and no more: its modules have no side effects, though its manifest does
 * not say so, and 1 MB of generated API clients hang on the one file that is wanted. Together with undici they cost 15 MiB.
 */
export const slimClientNode = {
  name: 'slim-client-node',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.includes(CLIENT_NODE) ? { path: NO_UNDICI, sideEffects: false } : undefined,
    );
    build.onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const concerned = importer.includes(CLIENT_NODE) || path.startsWith('@kubernetes/client-node');
      if (!concerned || pluginData === slimClientNode || kind === 'entry-point') return undefined;
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: slimClientNode });
      return found.errors.length === 0 && found.path.includes(CLIENT_NODE)
        ? { path: found.path, sideEffects: false }
        : undefined;
    });
  },
};
