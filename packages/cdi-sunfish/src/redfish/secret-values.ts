import type { ProviderHost, SecretRef } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';

/** Values of Secrets, or why they cannot be had. */
export type SecretValues =
  | { readonly tag: 'values'; readonly values: readonly string[] }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Reads the values of all keys, as they are now, and adds them to `seen`. */
export function readAll(host: ProviderHost, refs: readonly (SecretRef | undefined)[], seen: Set<string>): SecretValues {
  const values: string[] = [];
  for (const ref of refs) {
    if (ref === undefined) return missing();
    const outcome = host.secret(ref);
    if (outcome.tag === 'failed') return outcome;
    // Files and `kubectl create secret` tend to leave a line end behind, which no header may hold.
    const value = outcome.value.trim();
    seen.add(value);
    values.push(value);
  }
  return { tag: 'values', values };
}

function missing(): SecretValues {
  const message = 'the configuration does not say in which Secret the credentials are: set credentials';
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}
