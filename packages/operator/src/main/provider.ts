import { importDefinition, loadProvider, type Http, type ProviderDefinition } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { readConfigFile, type PackageSettings, type Settings } from '../process/index.ts';
import { VARIABLES } from '../process/settings/variables.ts';
import type { LoadedProvider } from '../wiring/provider-choice.ts';
import { builtIn, definitionOf } from './definitions.ts';

/** What a provider reads of the cluster. */
export type ProviderNeeds = Pick<LoadedProvider, 'reads' | 'secrets'>;

/** A provider whose definition and configuration have been checked. */
export interface SoundProvider {
  readonly loaded: LoadedProvider;
}

/** A provider that is sound, or what is wrong with it, in a line. */
export type ChosenProvider =
  ({ readonly tag: 'ok' } & SoundProvider) | { readonly tag: 'invalid'; readonly problem: string };

/** Where a package is looked for that has no folder of its own, and by which clock. */
export interface ChoiceOptions {
  /** Folder of the program. */
  readonly program: string;
  readonly clock: Clock;
}

/** Finds the provider that the settings name, in the program or in a package, and checks it. Nothing is made yet. */
export async function chooseProvider(provider: Settings['provider'], options: ChoiceOptions): Promise<ChosenProvider> {
  return provider.name === 'npm' ? fromPackage(provider, options) : checked(definitionOf(provider.name), provider);
}

async function fromPackage(
  { packageName, path, configFile }: PackageSettings,
  { program, clock }: ChoiceOptions,
): Promise<ChosenProvider> {
  const taken = builtIn.map(({ name }) => name);
  const found = await importDefinition(packageName, { path, program, clock, taken });
  if (found.tag === 'failed') return { tag: 'invalid', problem: found.message };
  if (configFile === undefined) return checked(found.definition, { config: {} });
  const file = readConfigFile(configFile, VARIABLES.providerConfig.name);
  return file.tag === 'invalid' ? file : checked(found.definition, { config: file.value ?? {} });
}

function checked(definition: ProviderDefinition, { config }: { readonly config: unknown }): ChosenProvider {
  const loaded = loadProvider(definition, config);
  return loaded.tag === 'failed' ? { tag: 'invalid', problem: loaded.message } : { tag: 'ok', loaded };
}

/** What a provider of a package calls its fabric with: it need not know of CRO_FABRIC_CA_FILE. The built-in ones do. */
export function httpFor(provider: Settings['provider'], http: Http): Http {
  if (provider.name !== 'npm' || provider.caFile === undefined) return http;
  const { caFile } = provider;
  return { send: (request, signal) => http.send({ caFile, ...request }, signal) };
}
