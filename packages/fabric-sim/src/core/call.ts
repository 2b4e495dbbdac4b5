import type { Effect } from '../faults/effect.ts';
import type { Reply, SimRequest } from './http.ts';

/**
 * What a call asks for. `poll`: where an operation stands that was asked for earlier. `steer`: to end or to go on with one.
 * `other`: a path or method that no vendor knows.
 */
export type CallKind = 'token' | 'get' | 'list' | 'inventory' | 'attach' | 'detach' | 'poll' | 'steer' | 'other';

/** A request that was understood: what it asks for, and how to do it. */
export interface Call {
  readonly kind: CallKind;
  /** The machine that it names, if any. */
  readonly machine?: string;
  /** Does what was asked. `effects` are the faults that this one call has to show. */
  perform(effects: readonly Effect[]): Promise<Reply> | Reply;
}

/** A vendor's protocol: finds out what a request asks for; `undefined` when the path is not one of its own. */
export interface Protocol {
  route(request: SimRequest, url: URL): Call | undefined;
}
