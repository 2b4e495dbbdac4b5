import type { Clock } from '@cro/clock';
import type { DeviceType } from '@cro/crd-types';
import type { CallContext, Provider } from '../../contract/provider.ts';

/** A real fabric manager that a provider is tried on. Nobody else may change anything there meanwhile. */
export interface Peer {
  /** A new instance of the provider, as in another process. */
  readonly open: () => Provider;
  readonly clock: Clock;
  readonly type: DeviceType;
  /** A model of which at least one device is free. */
  readonly model: string;
  /** The machine that gets devices, and at least one more if something shall be asked in its name. */
  readonly machines: readonly [string, ...string[]];
  /** Most devices to attach in order to empty the pool: a larger one stays as it is. 16 unless given. */
  readonly most?: number;
}

/** A context that nobody aborts, with the provider's own bounds. */
export function boundsOf(provider: Provider, kind: 'read' | 'mutate'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}
