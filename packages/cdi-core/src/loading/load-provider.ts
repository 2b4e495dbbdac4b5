import type { ProviderHost, SecretRef } from '../contract/host.ts';
import { CONTRACT_VERSION, type Provider, type ProviderDefinition } from '../contract/provider.ts';
import type { ReadKind } from '../contract/read-kind.ts';
import { cleanText } from '../text/clean-text.ts';
import { checkConfig } from './check-config.ts';
import { secretRefs } from './secret-refs.ts';

/** A provider that is ready, with what the process has to watch for it; or one line that says why there is none. */
export type Loaded =
  | {
      readonly tag: 'loaded';
      /** Kinds that its cache must hold. */
      readonly reads: readonly ReadKind[];
      /** Keys of Secrets that it reads. */
      readonly secrets: readonly SecretRef[];
      /** Makes it. Call it once the caches stand. */
      readonly create: (host: ProviderHost) => Provider;
    }
  | { readonly tag: 'failed'; readonly message: string };

/** Checks a definition's contract version and its configuration. Nothing is made yet. */
export function loadProvider(definition: ProviderDefinition, given: unknown): Loaded {
  const name = cleanText(String(definition.name), 64);
  const contract: number = definition.contract;
  if (contract !== CONTRACT_VERSION) {
    const message = `provider '${name}' is made for contract ${cleanText(String(contract), 16)}, this operator has contract ${CONTRACT_VERSION}`;
    return { tag: 'failed', message };
  }
  const checked = checkConfig(definition.configSchema, given);
  if (checked.tag === 'failed') return { tag: 'failed', message: `provider '${name}': ${checked.message}` };
  const { config } = checked;
  return {
    tag: 'loaded',
    reads: definition.readsFor?.(config) ?? definition.reads,
    secrets: secretRefs(definition.configSchema, config),
    create: (host) => definition.create(host, config),
  };
}
