import type { ProviderHost } from '@cro/cdi-core';
import type { Cache } from '@cro/kube-runtime';
import type { MapObject } from '../kinds/map-kinds.ts';

/** Reads keys of Secrets from their watch, so that a changed Secret is used at once. */
export function secretReader(
  cache: Cache<MapObject>,
  namespace: string,
  seen: (value: string) => void,
): ProviderHost['secret'] {
  return ({ name, key }) => {
    const secret = cache.get(name, namespace);
    if (secret === undefined) return missing(`secrets "${name}" not found in namespace ${namespace}`);
    const value = secret.data[key];
    if (value === undefined || value === '') return missing(`secret ${namespace}/${name} has no key "${key}"`);
    seen(value);
    return { tag: 'value', value };
  };
}

function missing(message: string): ReturnType<ProviderHost['secret']> {
  return { tag: 'failed', failure: { kind: 'Unauthenticated', message } };
}
