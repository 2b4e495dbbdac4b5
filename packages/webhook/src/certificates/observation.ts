import { WEBHOOK_NAME } from '../webhook-configuration.ts';
import type { ConfigurationObject, SecretObject } from './kinds.ts';
import { certificatesOf, type Certificate } from './pem-pair.ts';
import type { SecretFacts } from './rotation.ts';
import { factsOf, readStore, type CertificateStore } from './secret-contents.ts';

/** What the webhook configuration says. */
export interface Trust {
  readonly configuration: ConfigurationObject;
  /** Place of our webhook in it. */
  readonly index: number;
  readonly trusted: readonly Certificate[];
}

/** The two objects as they are now, parsed. */
export interface Observation {
  readonly secret: SecretObject | undefined;
  /** What the Secret holds, when it can be used. */
  readonly store: CertificateStore | undefined;
  readonly secretFacts: SecretFacts;
  /** Absent while the configuration, or our webhook in it, is missing. */
  readonly trust: Trust | undefined;
}

/** Parses both objects. `names`: what the serving certificate must be good for. */
export function observe(
  secret: SecretObject | undefined,
  configuration: ConfigurationObject | undefined,
  names: readonly string[],
): Observation {
  const trust = configuration === undefined ? undefined : trustOf(configuration);
  if (secret === undefined) return { secret, store: undefined, secretFacts: { tag: 'missing' }, trust };
  const outcome = readStore(secret.data ?? {});
  if (outcome.tag === 'malformed') return { secret, store: undefined, secretFacts: outcome, trust };
  return { secret, store: outcome.store, secretFacts: factsOf(outcome.store, names), trust };
}

function trustOf(configuration: ConfigurationObject): Trust | undefined {
  const webhooks = configuration.webhooks ?? [];
  const index = webhooks.findIndex(({ name }) => name === WEBHOOK_NAME);
  const bundle = Buffer.from(webhooks[index]?.clientConfig.caBundle ?? '', 'base64').toString('utf8');
  return index < 0 ? undefined : { configuration, index, trusted: certificatesOf(bundle) };
}

/** True when the configuration trusts this authority. */
export function trusts({ trust }: Observation, authority: Certificate): boolean {
  return trust?.trusted.some(({ fingerprint }) => fingerprint === authority.fingerprint) ?? false;
}
