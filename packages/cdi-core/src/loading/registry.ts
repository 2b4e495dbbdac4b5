import type { Provider } from '../contract/provider.ts';

/** The fabrics that a process serves, by the name that stands in tickets and in `status.fabric`. */
export interface ProviderRegistry {
  /** `undefined`: this process has no such fabric. */
  get(name: string): Provider | undefined;
  /** In the order in which they were given. */
  all(): readonly Provider[];
}

/** Makes a registry. Throws when two providers have one name: a ticket could not say whose it is. */
export function providerRegistry(providers: readonly Provider[]): ProviderRegistry {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  if (byName.size < providers.length) throw new Error('two providers have the same name');
  return { get: (name) => byName.get(name), all: () => [...byName.values()] };
}
