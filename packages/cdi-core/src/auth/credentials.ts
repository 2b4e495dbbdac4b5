import type { Failure } from '@cro/crd-types';
import type { ProviderHost, SecretRef } from '../contract/host.ts';

/** The keys of the `credentials` Secret. */
export const CREDENTIAL_KEYS = ['username', 'password', 'client_id', 'client_secret', 'realm'] as const;
/** One of the keys of the `credentials` Secret. */
export type CredentialKey = (typeof CREDENTIAL_KEYS)[number];
/** Where each part of the credentials is kept. */
export type CredentialRefs = Readonly<Record<CredentialKey, SecretRef>>;
/** The credentials themselves. Never log them. */
export type Credentials = Readonly<Record<CredentialKey, string>>;

/** Reads the present credentials from their Secrets. */
export function readCredentials(
  secret: ProviderHost['secret'],
  refs: CredentialRefs,
):
  { readonly tag: 'credentials'; readonly value: Credentials } | { readonly tag: 'failed'; readonly failure: Failure } {
  const value = { username: '', password: '', client_id: '', client_secret: '', realm: '' };
  for (const key of CREDENTIAL_KEYS) {
    const outcome = secret(refs[key]);
    if (outcome.tag === 'failed') return outcome;
    value[key] = outcome.value;
  }
  return { tag: 'credentials', value };
}
