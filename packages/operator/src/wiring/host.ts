import type { Http, Log, ProviderHost } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { secretReader } from '../cluster/secrets.ts';
import { declaredKey, type Watched } from './watch.ts';

/** What a provider's world is made of. */
export interface HostOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly http: Http;
  readonly log: Log;
  readonly namespace: string;
  /** Told every secret value that is read, so that no log shows it. */
  readonly secretSeen: (value: string) => void;
}

/** The passed-in world of a provider, over the watches. */
export function hostOver(watched: Watched, { namespace, secretSeen, ...world }: HostOptions): ProviderHost {
  return {
    ...world,
    get: (kind, name, inNamespace) => {
      const cache = watched.declared.get(declaredKey(kind));
      if (cache === undefined) throw new Error(`the provider reads ${declaredKey(kind)} without having declared it`);
      return cache.get(name, inNamespace);
    },
    secret: (ref) => {
      const cache = watched.secrets.get(ref.name);
      if (cache === undefined) throw new Error(`the provider reads secret ${ref.name} without having declared it`);
      return secretReader(cache, namespace, secretSeen)(ref);
    },
  };
}
