import type { Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import type { WriteOutcome } from '../client/outcome.ts';
import { durationOf, heldSpec, holderOf, leases, releasedSpec, sameClaim, type Lease } from './lease.ts';

/** What a candidate needs. */
export interface CandidateOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly identity: string;
  readonly namespace: string;
  readonly name: string;
  readonly leaseDurationMs: number;
}

/** What an attempt to take or renew the lease ended with. */
export type Attempt =
  /** It is ours. `since`: when the request was made, in monotonic milliseconds; nobody else counts from earlier. */
  | { readonly tag: 'ours'; readonly since: number }
  /** Somebody else holds it, or took it first. */
  | { readonly tag: 'theirs'; readonly holder: string }
  /** Nothing is known. */
  | { readonly tag: 'failed'; readonly message: string };

/**
 * One process that wants a lease. It judges others by its own monotonic clock only: a holder is given its time from the
 * moment at which its last renewal was seen here, whatever the times in the lease say.
 */
export class Candidate {
  readonly #options: CandidateOptions;
  #seen: { readonly lease: Lease; readonly at: number } | undefined;
  /** Our lease as last written: it can be renewed without reading it first. */
  #ours: Lease | undefined;

  constructor(options: CandidateOptions) {
    this.#options = options;
  }

  /** Takes the lease if it is free, or renews it if it is ours. */
  async attempt(): Promise<Attempt> {
    const renewing = this.#ours;
    if (renewing !== undefined) return this.#write(renewing);
    const { client } = this.#options;
    const read = await client.get(leases, this.#ref());
    switch (read.tag) {
      case 'failed':
        return { tag: 'failed', message: `the lease cannot be read: ${read.error.message}` };
      case 'notFound':
        return this.#write(undefined);
      case 'found':
        this.#see(read.object);
        return this.#judge(read.object);
    }
  }

  /** Lets go of the lease, if it is ours. */
  async release(): Promise<Attempt> {
    const { client, clock, identity } = this.#options;
    const read = await client.get(leases, this.#ref());
    if (read.tag !== 'found') {
      return { tag: 'failed', message: read.tag === 'failed' ? read.error.message : 'the lease is gone' };
    }
    const holder = holderOf(read.object);
    if (holder !== identity) return { tag: 'theirs', holder: holder ?? 'nobody' };
    const since = clock.monotonic();
    const { metadata } = read.object;
    return this.#result(
      await client.replace(leases, { metadata, spec: releasedSpec(read.object, clock.now()) }),
      since,
    );
  }

  #judge(lease: Lease): Promise<Attempt> | Attempt {
    const { clock, identity, leaseDurationMs } = this.#options;
    const holder = holderOf(lease);
    const seenAt = this.#seen?.at ?? clock.monotonic();
    const silentMs = clock.monotonic() - seenAt;
    const taken = holder !== undefined && holder !== identity && silentMs < (durationOf(lease) ?? leaseDurationMs);
    return taken ? { tag: 'theirs', holder } : this.#write(lease);
  }

  #see(lease: Lease): void {
    if (this.#seen !== undefined && sameClaim(this.#seen.lease, lease)) return;
    this.#seen = { lease, at: this.#options.clock.monotonic() };
  }

  async #write(previous: Lease | undefined): Promise<Attempt> {
    const { client, clock, identity, leaseDurationMs } = this.#options;
    const since = clock.monotonic();
    const spec = heldSpec(previous, identity, leaseDurationMs, clock.now());
    this.#ours = undefined;
    const outcome =
      previous === undefined
        ? await client.create(leases, { metadata: this.#ref(), spec })
        : await client.replace(leases, { metadata: previous.metadata, spec });
    return this.#result(outcome, since);
  }

  #result(outcome: WriteOutcome<Lease>, since: number): Attempt {
    switch (outcome.tag) {
      case 'done':
        this.#ours = holderOf(outcome.object) === this.#options.identity ? outcome.object : undefined;
        return { tag: 'ours', since };
      case 'conflict':
      case 'alreadyExists':
      case 'notFound':
        return { tag: 'failed', message: 'the lease was changed at the same time' };
      case 'refused':
      case 'unknown':
        return { tag: 'failed', message: `the lease cannot be written: ${outcome.error.message}` };
    }
  }

  #ref() {
    return { name: this.#options.name, namespace: this.#options.namespace };
  }
}
