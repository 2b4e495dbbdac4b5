import { loadProvider, type Loaded, type Provider, type ProviderDefinition } from '@cro/cdi-core';
import { OperatorConfigError } from '../config-error.ts';

/** A provider whose definition and configuration have been checked. */
export type LoadedProvider = Extract<Loaded, { readonly tag: 'loaded' }>;

/** A definition with its configuration; or that checked already, as a check costs some 20 ms in one piece. */
export type ProviderChoice = { readonly definition: ProviderDefinition; readonly config: unknown } | LoadedProvider;

/** Checks a provider, unless it has been. Throws {@link OperatorConfigError} when it cannot be used. */
export function loadedOf(choice: ProviderChoice): LoadedProvider {
  if ('tag' in choice) return choice;
  const loaded = loadProvider(choice.definition, choice.config);
  if (loaded.tag === 'failed') throw new OperatorConfigError(loaded.message);
  return loaded;
}

/** A provider that cannot be made is one that cannot be used as it is configured. */
export function made(create: () => Provider): Provider {
  try {
    return create();
  } catch (error) {
    throw new OperatorConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
