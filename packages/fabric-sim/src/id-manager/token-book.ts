import type { Clock } from '@cro/clock';

/** What a bearer token turned out to be. */
export type TokenCheck = 'valid' | 'missing' | 'unknown' | 'expired';

/** The access tokens that were handed out. */
export class TokenBook {
  readonly #expiryMs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #lifetimeSeconds: number;

  constructor(clock: Clock, random: () => number, lifetimeSeconds: number) {
    this.#clock = clock;
    this.#random = random;
    this.#lifetimeSeconds = lifetimeSeconds;
  }

  /** Seconds that a new token lives. */
  get lifetimeSeconds(): number {
    return this.#lifetimeSeconds;
  }

  /** A new access token: a JWT whose `exp` is the expiry that counts. */
  issue(user: string, realm: string): string {
    const iat = Math.floor(this.#clock.now() / 1000);
    const exp = iat + this.#lifetimeSeconds;
    const token = jwt({ exp, iat, sub: user, iss: realm, typ: 'Bearer', scope: 'openid' }, this.opaque());
    this.#expiryMs.set(token, exp * 1000);
    return token;
  }

  /** A random word of 43 letters and digits. */
  opaque(): string {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    return Array.from({ length: 43 }, () => letters.charAt(Math.floor(this.#random() * letters.length))).join('');
  }

  /** Checks the value of an `Authorization` header. */
  check(authorization: string | undefined): TokenCheck {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return 'missing';
    const expiryMs = this.#expiryMs.get(token);
    if (expiryMs === undefined) return 'unknown';
    return expiryMs > this.#clock.now() ? 'valid' : 'expired';
  }

  /** Makes every token that was handed out unknown, as after a restart of the id_manager. */
  revokeAll(): void {
    this.#expiryMs.clear();
  }
}

/** Puts a token together from its payload and a signature that nobody checks. */
export function jwt(payload: Readonly<Record<string, unknown>>, signature: string): string {
  return [base64url({ alg: 'HS256', typ: 'JWT' }), base64url(payload), signature].join('.');
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
