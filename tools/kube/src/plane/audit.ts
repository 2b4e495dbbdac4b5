import { readFile } from 'node:fs/promises';

/** One request that an API server has answered (audit.k8s.io/v1 `Event`), as far as it is read here. */
export interface AuditEntry {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, or a method in lower case. */
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent: string;
  /** Whom it was asked for: with impersonation not the one who asked. */
  readonly user: string;
  /** Which of the user's tokens: `JTI=` and its id (authentication.kubernetes.io/credential-id); empty for a certificate. */
  readonly credential: string;
  /** HTTP status. */
  readonly code: number;
  /** API group; empty for the core group. */
  readonly group: string;
  /** `resource` or `resource/subresource`; empty for what is no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of a refusal; empty where there is none. */
  readonly message: string;
}

/** Reads an audit log. The line that is being written is left out. */
export async function readAuditLog(path: string): Promise<readonly AuditEntry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  return lines.map(parseAuditLine);
}

/** Reads one line of an audit log. Throws when it is none. */
export function parseAuditLine(line: string): AuditEntry {
  const event: unknown = JSON.parse(line);
  const ref = fieldOf(event, 'objectRef');
  const status = fieldOf(event, 'responseStatus');
  const code = fieldOf(status, 'code');
  const subresource = textOf(ref, 'subresource');
  return {
    verb: textOf(event, 'verb'),
    requestURI: textOf(event, 'requestURI'),
    userAgent: textOf(event, 'userAgent'),
    user: textOf(fieldOf(event, 'impersonatedUser') ?? fieldOf(event, 'user'), 'username'),
    credential: credentialOf(fieldOf(event, 'user')),
    code: typeof code === 'number' ? code : 0,
    group: textOf(ref, 'apiGroup'),
    resource: textOf(ref, 'resource') + (subresource === '' ? '' : `/${subresource}`),
    namespace: textOf(ref, 'namespace'),
    name: textOf(ref, 'name'),
    message: textOf(status, 'message'),
  };
}

function credentialOf(user: unknown): string {
  const ids = fieldOf(fieldOf(user, 'extra'), 'authentication.kubernetes.io/credential-id');
  const all: readonly unknown[] = Array.isArray(ids) ? ids : [];
  const [first] = all;
  return typeof first === 'string' ? first : '';
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function textOf(value: unknown, key: string): string {
  const text = fieldOf(value, key);
  return typeof text === 'string' ? text : '';
}
