import type { ProviderDefinition } from '../contract/provider.ts';

/** A definition, or one line that says why there is none. */
export type FoundDefinition =
  | { readonly tag: 'found'; readonly definition: ProviderDefinition }
  | { readonly tag: 'failed'; readonly message: string };

/** Finds a definition by the name that an administrator wrote. Others than the built-in ones are this function's business. */
export type DefinitionSource = (name: string) => Promise<FoundDefinition>;

/** Finds a built-in definition by its name, without regard to case. */
export function builtInDefinitions(definitions: readonly ProviderDefinition[]): DefinitionSource {
  const known = new Map(definitions.map((definition) => [definition.name.toLowerCase(), definition]));
  return (name) => {
    const definition = known.get(name.toLowerCase());
    if (definition !== undefined) return Promise.resolve({ tag: 'found', definition });
    const message = `there is no provider '${name}', there are: ${[...known.keys()].join(', ')}`;
    return Promise.resolve({ tag: 'failed', message });
  };
}
