import type { DeviceType, Failure } from '@cro/crd-types';
import type { ProviderHost } from './host.ts';
import type { Availability, Listing } from './listing.ts';
import type { ReadKind } from './read-kind.ts';
import type { PrepareOutcome, PrepareRequest, ResumeOutcome, StartOutcome, Ticket } from './ticket.ts';

/** Version of this contract. A definition with another number is refused at start. */
export const CONTRACT_VERSION = 1;

/** Bounds of one call. Both always hold: the signal aborts at the deadline or when the operator stops. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** Milliseconds that this call may take in all. */
  readonly timeoutMs: number;
}

/** What a provider is told of a node to find its machine. */
export interface NodeFacts {
  readonly name: string;
  readonly providerId?: string;
  readonly systemUuid?: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The fabric's id of a node's machine, or why there is none. `unmapped`: the node is not on the fabric. */
export type LocateOutcome =
  | { readonly tag: 'machine'; readonly machine: string }
  | { readonly tag: 'unmapped'; readonly message: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/**
 * A fabric. Expected failures are returned, never thrown; a throw is a bug of the provider. Every call honours its
 * signal.
 */
export interface Provider {
  /** Name in tickets and in `status.fabric`; never changes for one fabric. */
  readonly name: string;
  /** What mutating calls exclude each other on. */
  readonly lane: 'machine' | 'manager';
  /** Most mutating calls in flight at once, over all lanes. */
  readonly maxInFlight?: number;
  /** How long a lost call may still take effect, in seconds: longer than the fabric's slowest call. */
  readonly settleSeconds: number;
  /** Bounds of one call of each kind, in milliseconds. */
  readonly timeouts: { readonly read: number; readonly mutate: number };
  /** Finds the machine of a node. Reads only what `reads` of the definition declares. */
  locate(node: NodeFacts, context: CallContext): Promise<LocateOutcome>;
  /** Reads the fabric and prepares an operation. Changes nothing. Called inside the lane. */
  prepare(request: PrepareRequest, context: CallContext): Promise<PrepareOutcome>;
  /** Asks the fabric for the change. Called at most once per ticket, by the process that saved it. */
  start(ticket: Ticket, context: CallContext): Promise<StartOutcome>;
  /**
   * Finds out what became of a ticket, by reads or by repeating only what is idempotent. `claimed` are the `cdiDeviceId`s that
   * other tickets and resources hold now: never taken for this ticket's. It is asked for anew at each call, so that a
   * ticket need not carry a list that grows with the cluster.
   */
  resume(ticket: Ticket, context: CallContext, claimed?: readonly string[]): Promise<ResumeOutcome>;
  /** Every device attached to these machines, with its health. */
  list(machines: readonly string[], context: CallContext): Promise<Listing>;
  /** What is free for a machine. */
  inventory(query: { type: DeviceType; model: string; machine: string }, context: CallContext): Promise<Availability>;
}

/** What a provider package exports: `export default defineProvider({...})`. */
export interface ProviderDefinition<Config = unknown> {
  readonly contract: typeof CONTRACT_VERSION;
  /** Name of the provider, lower case, as in tickets: `fti-fm`. */
  readonly name: string;
  /** JSON Schema of the configuration. A property with `"x-cro-secret": true` is a reference to a key of a Secret. */
  readonly configSchema: Readonly<Record<string, unknown>>;
  /** Kinds that `locate` reads. Caches and RBAC are derived from it. */
  readonly reads: readonly ReadKind[];
  /**
   * The part of `reads` that this configuration needs; all of it when absent. A kind whose CRD is not installed can then be left
   * unwatched.
   */
  readsFor?(config: Config): readonly ReadKind[];
  /** Makes the provider. `config` has passed `configSchema`. */
  create(host: ProviderHost, config: Config): Provider;
}

/** Types a definition. Returns it as it is. */
export function defineProvider<Config>(definition: ProviderDefinition<Config>): ProviderDefinition<Config> {
  return definition;
}
