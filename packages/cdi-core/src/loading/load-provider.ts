import type { ProviderHost, SecretRef } from '../contract/host.ts';
import type { Provider, ProviderDefinition } from '../contract/provider.ts';
import type { ReadKind } from '../contract/read-kind.ts';
import { cleanText } from '../text/clean-text.ts';
import { checkConfig } from './check-config.ts';
import { checkDefinition, problemInReads } from './check-definition.ts';
import { checkProvider, type Created } from './check-provider.ts';

/** A provider that is ready, with what the process has to watch for it; or one line that says why there is none. */
export type Loaded =
  | {
      readonly tag: 'loaded';
      /** Kinds that its cache must hold. */
      readonly reads: readonly ReadKind[];
      /** Keys of Secrets that it reads. */
      readonly secrets: readonly SecretRef[];
      /** Makes it. Throws when the definition throws or makes no provider, with one line that says so. */
      readonly create: (host: ProviderHost) => Provider;
    }
  | { readonly tag: 'failed'; readonly message: string };

/** Checks a definition, its contract version and its configuration. Nothing is made yet. */
export function loadProvider(definition: ProviderDefinition, given: unknown): Loaded {
  const found = checkDefinition(definition);
  if (found.tag === 'failed') return found;
  const { name } = definition;
  const failed = (message: string) => ({ tag: 'failed', message: `provider '${name}': ${message}` }) as const;
  const checked = checkConfig(definition.configSchema, given);
  if (checked.tag === 'failed') return failed(checked.message);
  const { config, secrets } = checked;
  const reads = readsOf(definition, config);
  if (typeof reads === 'string') return failed(reads);
  return {
    tag: 'loaded',
    reads,
    secrets,
    create: (host) => {
      const created = createChecked(definition, host, config);
      if (created.tag === 'failed') throw new Error(failed(created.message).message);
      return created.provider;
    },
  };
}

function createChecked(definition: ProviderDefinition, host: ProviderHost, config: unknown): Created {
  try {
    return checkProvider(definition.create(host, config), definition.name);
  } catch (error) {
    return { tag: 'failed', message: `create threw: ${messageOf(error)}` };
  }
}

/** The kinds to read, or what is wrong with them. */
function readsOf(definition: ProviderDefinition, config: unknown): readonly ReadKind[] | string {
  try {
    const reads = definition.readsFor?.(config) ?? definition.reads;
    const problem = problemInReads(reads);
    return problem === undefined ? reads : `readsFor answered a wrong list: ${problem}`;
  } catch (error) {
    return `readsFor threw: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return cleanText(error instanceof Error ? error.message : String(error));
}
