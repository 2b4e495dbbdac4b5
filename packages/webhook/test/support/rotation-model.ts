import type { Clock } from '@cro/clock';
import {
  decideRotation,
  switchAfter,
  type AuthorityFacts,
  type RotationAction,
  type RotationPolicy,
  type SecretFacts,
  type ServedFacts,
  type ServingFacts,
} from '../../src/index.ts';

type StoredServing = ServingFacts & { readonly fingerprint: string };
type Stored = Extract<SecretFacts, { tag: 'present' }> & { readonly serving: StoredServing; readonly version: number };

/** The Secret and the configuration as the API server has them, without cryptography. */
export class Shared {
  readonly clock: Clock;
  readonly policy: RotationPolicy;
  secret: Stored | undefined;
  configuration: { readonly trusted: readonly string[]; readonly version: number } = { trusted: [], version: 0 };
  /** The configuration as the API server that calls the webhook knows it by now. */
  enforced = this.configuration;
  writes = 0;
  readonly #authorities = new Map<string, AuthorityFacts>();
  #made = 0;
  #version = 0;

  constructor(clock: Clock, policy: RotationPolicy) {
    this.clock = clock;
    this.policy = policy;
  }

  /** Writes the Secret if it still is what the writer saw. */
  save(seen: Stored | undefined, next: Omit<Stored, 'version' | 'tag'>): void {
    if (seen?.version !== this.secret?.version) return;
    this.writes += 1;
    this.#version += 1;
    this.secret = { ...next, tag: 'present', version: this.#version };
  }

  authority(): AuthorityFacts {
    const made = { fingerprint: this.#name('authority'), notAfter: this.clock.now() + this.policy.authorityLifetimeMs };
    this.#authorities.set(made.fingerprint, made);
    return made;
  }

  /** The authorities with these fingerprints. */
  known(fingerprints: readonly string[]): readonly AuthorityFacts[] {
    return fingerprints.flatMap((fingerprint) => this.#authorities.get(fingerprint) ?? []);
  }

  serving(issuer: AuthorityFacts): StoredServing {
    const now = this.clock.now();
    return {
      fingerprint: this.#name('serving'),
      issuer: issuer.fingerprint,
      notBefore: now - this.policy.backdateMs,
      notAfter: Math.min(now + this.policy.servingLifetimeMs, issuer.notAfter),
      coversNames: true,
    };
  }

  #name(what: string): string {
    this.#made += 1;
    return `${what}-${this.#made}`;
  }
}

/** One replica: it sees the shared objects late, acts, and serves. */
export class Replica {
  served: ServedFacts | undefined;
  readonly #shared: Shared;
  #secret: Stored | undefined;
  #configuration: Shared['configuration'] = { trusted: [], version: 0 };
  #seenSince: ReadonlyMap<string, number> = new Map();

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** The watch delivers what is there now. */
  see(what: 'secret' | 'configuration'): void {
    if (what === 'secret') this.#secret = this.#shared.secret;
    else this.#configuration = this.#shared.configuration;
  }

  /** Serves, decides and acts once. Answers how long to wait, or undefined when there may be more to do at once. */
  step(): number | undefined {
    const { clock, policy } = this.#shared;
    const stored = this.#secret;
    const now = clock.monotonic();
    this.#seenSince = new Map(
      this.#configuration.trusted.map((fingerprint) => [fingerprint, this.#seenSince.get(fingerprint) ?? now]),
    );
    const trusted = [...this.#seenSince].map(([fingerprint, since]) => ({ fingerprint, forMs: now - since }));
    const switchMs =
      stored === undefined ? Infinity : switchAfter(this.served, stored.serving, trusted, policy, clock.now());
    if (switchMs === 0) this.served = stored?.serving;
    const state = {
      secret: stored ?? ({ tag: 'missing' } as const),
      configuration: { tag: 'present', trusted } as const,
    };
    const action = decideRotation(state, policy, clock.now());
    if (action.tag === 'wait') return switchMs === 0 ? action.forMs : Math.min(action.forMs, switchMs);
    this.#perform(action, stored);
    return undefined;
  }

  #perform(action: Exclude<RotationAction, { tag: 'wait' }>, stored: Stored | undefined): void {
    const shared = this.#shared;
    if (action.tag === 'create' || stored === undefined) {
      const newest = shared.authority();
      shared.save(stored, {
        newest,
        older: shared.known(this.#configuration.trusted),
        serving: shared.serving(newest),
      });
    } else if (action.tag === 'addAuthority') {
      shared.save(stored, { ...stored, newest: shared.authority(), older: [stored.newest, ...stored.older] });
    } else if (action.tag === 'issueServing') {
      shared.save(stored, { ...stored, serving: shared.serving(stored.newest) });
    } else if (action.tag === 'retire') {
      const older = stored.older.filter(({ fingerprint }) => !action.fingerprints.includes(fingerprint));
      shared.save(stored, { ...stored, older });
    } else if (action.tag === 'inject') {
      const { version } = this.#configuration;
      if (stored.version !== shared.secret?.version || version !== shared.configuration.version) return;
      const trusted = [stored.newest, ...stored.older].map(({ fingerprint }) => fingerprint);
      shared.writes += 1;
      shared.configuration = { trusted, version: version + 1 };
    }
  }
}
