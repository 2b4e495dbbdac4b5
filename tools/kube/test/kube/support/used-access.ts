import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { attributesOf, type RequestAttributes } from '@cro/kube-runtime';
import { readAuditLog } from '../../../src/index.ts';
import { RECORDS } from './record-folder.ts';

const METHODS: Readonly<Record<string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** What programs under the operator's account were allowed to do, by an audit log. */
export async function usedIn(auditLogPath: string): Promise<readonly RequestAttributes[]> {
  const entries = await readAuditLog(auditLogPath);
  const used = new Map<string, RequestAttributes>();
  for (const { user, code, verb, requestURI } of entries) {
    const method = METHODS[verb];
    if (!user.startsWith('system:serviceaccount:') || code === 401 || code === 403 || method === undefined) continue;
    const asked = attributesOf({ method, path: requestURI });
    if (asked !== undefined) used.set(JSON.stringify(asked), asked);
  }
  return [...used.values()];
}

/** Adds what was used to the record. */
export async function keepRecord(auditLogPath: string): Promise<void> {
  await mkdir(RECORDS, { recursive: true });
  const { length } = await readdir(RECORDS);
  await writeFile(new URL(`${length}.json`, RECORDS), JSON.stringify(await usedIn(auditLogPath)));
}

/** Everything that was used since the suites began. */
export async function readRecords(): Promise<readonly RequestAttributes[]> {
  // This suite alone has no earlier ones.
  await mkdir(RECORDS, { recursive: true });
  const names = await readdir(RECORDS);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, RECORDS), 'utf8')));
  return texts.flatMap((text) => JSON.parse(text) as RequestAttributes[]);
}
