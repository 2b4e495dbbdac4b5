import type { SecretRef } from '@cro/cdi-core';

/** Name of the Secret with the credentials for the fabric, as in the Go operator. */
export const CREDENTIALS_SECRET = 'credentials';

/** A key of that Secret. */
export function credential(key: string): SecretRef {
  return { name: CREDENTIALS_SECRET, key };
}
