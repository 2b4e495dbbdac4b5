import type { Clock } from '@cro/clock';
import type { Trust } from './observation.ts';
import type { ConfigurationFacts } from './rotation.ts';

/** Remembers for how long each authority has been seen in the configuration. It begins anew with each process. */
export class TrustWatch {
  readonly #clock: Clock;
  /** First sight of each authority by its fingerprint, in monotonic milliseconds. */
  #seenSince: ReadonlyMap<string, number> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes note of what the configuration trusts now. */
  facts(trust: Trust | undefined): ConfigurationFacts {
    const now = this.#clock.monotonic();
    const fingerprints = trust?.trusted.map(({ fingerprint }) => fingerprint) ?? [];
    this.#seenSince = new Map(
      fingerprints.map((fingerprint) => [fingerprint, this.#seenSince.get(fingerprint) ?? now]),
    );
    if (trust === undefined) return { tag: 'missing' };
    const trusted = [...this.#seenSince].map(([fingerprint, since]) => ({ fingerprint, forMs: now - since }));
    return { tag: 'present', trusted };
  }
}
