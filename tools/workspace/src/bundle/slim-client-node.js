const CLIENT_NODE = '/node_modules/@kubernetes/client-node/';

/**
 * Stands for undici. @kubernetes/client-node needs it for its generated API clients, which this project does not use: it has a
 * transport of its own. Loaded all the same it would cost 7 MiB of memory.
 */
const NO_UNDICI = `
class Missing {
  constructor() {
    throw new Error('undici is left out of this bundle: use the transport of @cro/kube-runtime');
  }
}
export { Missing as Agent, Missing as fetch, Missing as FormData, Missing as ProxyAgent };
`;

/**
 * Takes from @kubernetes/client-node what is used and no more: its modules have no side effects, though its manifest does
 * not say so, and 1 MB of generated API clients hang on the one file that is wanted. Together with undici they cost 15 MiB.
 */
export const slimClientNode = {
  name: 'slim-client-node',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.includes(CLIENT_NODE) ? { path: 'undici', namespace: 'no-undici', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'no-undici' }, () => ({ contents: NO_UNDICI, loader: 'js' }));
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
