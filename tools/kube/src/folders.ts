import { join } from 'node:path';

/** Environment variables, as far as they are read here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything is kept that is built or started here: outside of any repository. */
export function cacheRoot(env: Environment): string {
  const { XDG_CACHE_HOME: cache, HOME: home } = env;
  if (cache !== undefined && cache.startsWith('/')) return join(cache, 'cro-kube');
  if (home !== undefined && home !== '') return join(home, '.cache', 'cro-kube');
  throw new Error('neither XDG_CACHE_HOME nor HOME is set: one of them has to say where the control plane is kept');
}
