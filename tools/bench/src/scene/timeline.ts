import type { Clock } from '@cro/clock';
import type { KubeSim, SeenRequest } from '@cro/kube-sim';
import { REQUESTS } from './resources.ts';

/** When things happened to one request, in milliseconds on the monotonic clock of the API server's process. */
export interface Moments {
  /** Its creation was answered. */
  readonly created?: number;
  /** The write that first made it Running was answered. */
  readonly running?: number;
  /** The write that let it go was answered. */
  readonly gone?: number;
}

/** Notes when requests are created, Running and gone, as the API server answers the writes: no watch is in between. */
export class Timeline {
  readonly #kube: KubeSim;
  readonly #clock: Clock;
  readonly #moments = new Map<string, Moments>();
  readonly #listeners = new Set<() => void>();

  constructor(kube: KubeSim, clock: Clock) {
    this.#kube = kube;
    this.#clock = clock;
    kube.observe((seen) => {
      this.#see(seen);
    });
  }

  /** What is known of a request. */
  of(name: string): Moments {
    return this.#moments.get(name) ?? {};
  }

  /** The creation of a request was answered now. */
  created(name: string): void {
    this.#moments.set(name, { created: this.#clock.monotonic() });
  }

  /** Calls `listener` after each write to anything. The result ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #see({ isWrite, resource, name }: SeenRequest): void {
    if (!isWrite) return;
    if (resource === REQUESTS && name !== undefined) this.#note(name);
    for (const listener of [...this.#listeners]) listener();
  }

  #note(name: string): void {
    const moments = this.of(name);
    const object = this.#kube.objects.get(REQUESTS, name);
    const now = this.#clock.monotonic();
    if (object === undefined) this.#moments.set(name, { gone: now, ...moments });
    else if (stateOf(object) === 'Running') this.#moments.set(name, { running: now, ...moments });
  }
}

/** `status.state` of a stored object. */
export function stateOf(object: Readonly<Record<string, unknown>>): unknown {
  const { status } = object;
  return typeof status === 'object' && status !== null ? Reflect.get(status, 'state') : undefined;
}
