/** Everything that a connection and a request need to be trusted. */
export interface Credentials {
  /** The CA that the server's certificate has to come from; absent: the system's. */
  readonly ca?: string | Buffer;
  /** The client's certificate and its key, in PEM. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that the server's certificate has to carry, when it is not the host's. */
  readonly servername?: string;
  /** Headers such as Authorization. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Gives the present credentials. Tokens and certificates are rotated while a process runs. */
export interface CredentialSource {
  current(): Promise<Credentials>;
  /** The server answered 401: read anew before the next request. */
  refused(): void;
}

/** True when two credentials make the same connections. Headers belong to requests, not to connections. */
export function sameConnection(a: Credentials, b: Credentials): boolean {
  return (['ca', 'cert', 'key', 'servername'] as const).every((field) => sameBytes(a[field], b[field]));
}

function sameBytes(a: string | Buffer | undefined, b: string | Buffer | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return Buffer.from(a).equals(Buffer.from(b));
}
