import { rm } from 'node:fs/promises';

/** Where each suite adds what the operator used. */
export const RECORDS = new URL('../../../coverage/access/', import.meta.url);

/** Forgets what earlier runs used. */
export async function forgetRecords(): Promise<void> {
  await rm(RECORDS, { recursive: true, force: true });
}
