import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import type { Clock } from '@cro/clock';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { Credentials, CredentialSource } from '../https/credentials.ts';
import { isObject, objectField, textField } from '../json.ts';

/** Files and tokens are read again after this time. Kubernetes rotates a token long before it expires. */
const FRESH_MS = 30_000;

/** The credentials of a kubeconfig: token files, client certificates and credential plugins, read again as time passes. */
export class KubeConfigCredentials implements CredentialSource {
  readonly #config: KubeConfig;
  readonly #clock: Clock;
  #held: { readonly credentials: Promise<Credentials>; readonly at: number } | undefined;

  constructor(config: KubeConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  current(): Promise<Credentials> {
    const now = this.#clock.monotonic();
    if (this.#held !== undefined && now - this.#held.at < FRESH_MS) return this.#held.credentials;
    // Requests that come while it is read share the one reading.
    const credentials = this.#read();
    const held = { credentials, at: now };
    this.#held = held;
    credentials.catch(() => {
      // A reading that failed must not be kept; the request that asked for it gets the error.
      if (this.#held === held) this.#held = undefined;
    });
    return credentials;
  }

  refused(): void {
    this.#held = undefined;
  }

  async #read(): Promise<Credentials> {
    const options: RequestOptions = {};
    await this.#config.applyToHTTPSOptions(options);
    const { ca, cert, key, servername, auth, headers } = options;
    return {
      ...pem('ca', ca),
      ...pem('cert', cert),
      ...pem('key', key),
      ...(servername !== undefined && { servername }),
      headers: { ...textHeaders(headers), ...basic(auth), ...(await this.#fileToken()) },
    };
  }

  /** client-node keeps a token file's content for a minute by the wall clock, even after a 401. */
  async #fileToken(): Promise<Record<string, string>> {
    const provider: unknown = this.#config.getCurrentUser()?.authProvider;
    const tokenFile = textField(objectField(provider, 'config'), 'tokenFile');
    if (tokenFile === undefined) return {};
    return { authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}` };
  }
}

function pem<F extends string>(field: F, value: unknown): Partial<Record<F, string | Buffer>>;
function pem(field: string, value: unknown): Record<string, string | Buffer> {
  return typeof value === 'string' || Buffer.isBuffer(value) ? { [field]: value } : {};
}

function textHeaders(headers: unknown): Record<string, string> {
  const result: Record<string, string> = {};
  if (!isObject(headers)) return result;
  for (const [name, value] of Object.entries(headers)) {
    // A token file ends with a newline at times, which no header may hold.
    if (typeof value === 'string') result[name.toLowerCase()] = value.trim();
  }
  return result;
}

function basic(auth: string | null | undefined): Record<string, string> {
  return auth ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
}
