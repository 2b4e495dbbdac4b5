import type { Clock } from '@cro/clock';
import type { World } from '@cro/demo';

/** When things happened to one request, in milliseconds on the monotonic clock of this process. */
export interface Moments {
  /** Its creation was answered. */
  readonly created?: number;
  /** The watch told that it is Running, for the first time. */
  readonly running?: number;
  /** The watch told that it is gone. */
  readonly gone?: number;
}

/** Notes when requests are created, Running and gone. */
export class Timeline {
  readonly #world: Pick<World, 'requests' | 'resources'>;
  readonly #clock: Clock;
  readonly #moments = new Map<string, Moments>();

  constructor(world: Pick<World, 'requests' | 'resources'>, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    world.requests.subscribe(({ type, object }) => {
      const { name } = object.metadata;
      const now = clock.monotonic();
      if (type === 'deleted') this.#moments.set(name, { gone: now, ...this.of(name) });
      else if (object.status?.state === 'Running') this.#moments.set(name, { running: now, ...this.of(name) });
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

  /** Calls `listener` after each change of a request or a resource. The result ends that. */
  subscribe(listener: () => void): () => void {
    const ends = [this.#world.requests.subscribe(listener), this.#world.resources.subscribe(listener)];
    return () => {
      for (const end of ends) end();
    };
  }
}
