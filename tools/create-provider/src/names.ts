/** What a new project is called. */
export interface Names {
  /** Name of the npm package, with its scope if it has one. */
  readonly packageName: string;
  /** Name of the provider, as in tickets and in `status.fabric`. */
  readonly providerName: string;
  /** Name of its folder. */
  readonly folder: string;
}

/** The names, or what is wrong with the one that was given. */
export type NamesOutcome =
  { readonly tag: 'ok'; readonly names: Names } | { readonly tag: 'invalid'; readonly problem: string };

/** Less than npm takes: what can be the name of a folder everywhere. */
const PACKAGE = /^(?:@[a-z0-9][a-z0-9-]{0,62}\/)?([a-z0-9][a-z0-9-]{0,62})$/;
const PROVIDER = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names of the providers that the operator has built in: tickets could not be told apart. */
const TAKEN = ['fti-fm', 'fti-cm', 'nec-cdim', 'sunfish'];

/** The provider is called like the package, without scope and without `cdi-` in front. */
export function namesOf(packageName: string): NamesOutcome {
  const folder = PACKAGE.exec(packageName)?.[1];
  const providerName = folder?.replace(/^cdi-/, '') ?? '';
  if (folder === undefined || !PROVIDER.test(providerName)) {
    const problem = `'${packageName}' cannot be the name; accepted: name or @scope/name, of lower-case letters, digits and dashes`;
    return { tag: 'invalid', problem };
  }
  if (TAKEN.includes(providerName)) {
    return {
      tag: 'invalid',
      problem: `'${providerName}' is the name of a provider that the operator has: take another`,
    };
  }
  return { tag: 'ok', names: { packageName, providerName, folder } };
}
