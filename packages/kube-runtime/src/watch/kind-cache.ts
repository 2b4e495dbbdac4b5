import { delay, reasonOf } from '@cro/clock';
import type { ApiError } from '../client/outcome.ts';
import type { OwnWrite } from '../client/writes.ts';
import { keyOf, type KubeObject } from '../kind.ts';
import type { Log } from '../log.ts';
import { applyEffect } from './apply.ts';
import type { Cache } from './cache.ts';
import { Listeners } from './listeners.ts';
import { performList, performWatch, type Source } from './perform.ts';
import type { Moment, WatchEffect, WatchInput, WatchState } from './state.ts';
import { start, step } from './step.ts';
import { Store, type CacheEvent, type MalformedObject, type StoreOptions } from './store.ts';

/** What a cache needs beside its source. */
export interface KindCacheOptions<T extends KubeObject> {
  readonly source: Source;
  readonly store: Pick<StoreOptions<T>, 'kind' | 'indexes' | 'filtered' | 'accepts'>;
  /** A kind that the server may not know, or not let us read: waiting for it ends when that is certain. */
  readonly optional: boolean;
  readonly log: Log;
}

/** Performs what the list-watch asks for, and shows what its store holds. */
export class KindCache<T extends KubeObject> implements Cache<T> {
  readonly #options: KindCacheOptions<T>;
  readonly #store: Store<T>;
  readonly #listeners: Listeners<CacheEvent<T>>;
  readonly #moment: Moment;
  readonly #waiting = new Set<() => void>();
  #state: WatchState = start;
  #synced = false;
  /** The last failure, until something arrives: that it is tried again tells nothing new. */
  #failure: ApiError | undefined;

  constructor(options: KindCacheOptions<T>) {
    this.#options = options;
    const { source, store, log } = options;
    const { clock } = source.sending;
    this.#moment = {
      get at() {
        return clock.monotonic();
      },
      get random() {
        return source.random();
      },
    };
    this.#listeners = new Listeners(log, store.kind.kind);
    this.#store = new Store({
      ...store,
      onEvent: (event) => {
        this.#listeners.call(event);
      },
      onMalformed: (malformed) => {
        this.#reportMalformed(malformed);
      },
    });
  }

  get synced(): boolean {
    return this.#synced;
  }

  get missing(): boolean {
    return this.#failure?.status === 404;
  }

  get problem(): string | undefined {
    return this.#failure?.message;
  }

  get malformed(): readonly MalformedObject[] {
    return this.#store.malformed();
  }

  get(name: string, namespace?: string): T | undefined {
    return this.#store.get(keyOf({ name, ...(namespace !== undefined && { namespace }) }));
  }

  list(): readonly T[] {
    return this.#store.list();
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#store.byIndex(index, value);
  }

  subscribe(listener: (event: CacheEvent<T>) => void): () => void {
    return this.#listeners.add(listener);
  }

  whenSynced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!signal.aborted && !this.#ready()) return;
        this.#waiting.delete(check);
        signal.removeEventListener('abort', check);
        if (this.#ready()) resolve();
        else reject(reasonOf(signal));
      };
      this.#waiting.add(check);
      signal.addEventListener('abort', check, { once: true });
      check();
    });
  }

  /** Shows an own write at once. */
  wrote(write: OwnWrite): void {
    const { kind } = this.#options.store;
    if (write.kind.group !== kind.group || write.kind.plural !== kind.plural) return;
    if (write.tag === 'stored') this.#store.wrote(write.object);
    else if (write.uid !== undefined) this.#store.wroteGone(keyOf(write.ref), write.uid);
  }

  /** Runs until the source's signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.#options.source;
    this.#store.begin();
    while (!signal.aborted) await this.#perform(this.#state);
  }

  #ready(): boolean {
    return this.#synced || (this.#options.optional && (this.missing || this.#failure?.status === 403));
  }

  async #perform(state: WatchState): Promise<void> {
    const { source } = this.#options;
    const feed = (input: WatchInput) => this.#feed(input);
    switch (state.tag) {
      case 'listing':
        await performList(source, state, feed);
        return;
      case 'watching':
        await performWatch(source, state, feed);
        return;
      case 'waiting':
        await delay(source.sending.clock, state.delayMs, source.signal).catch(() => undefined);
        feed({ tag: 'elapsed' });
        return;
    }
  }

  #feed(input: WatchInput): boolean {
    const before = this.#state.tag;
    const { state, effects } = step(this.#state, input, this.#moment);
    this.#state = state;
    for (const effect of effects) this.#do(effect);
    if (before !== state.tag) for (const check of [...this.#waiting]) check();
    return before === state.tag;
  }

  #do(effect: WatchEffect): void {
    if (effect.tag !== 'report') {
      applyEffect(this.#store, effect);
      if (effect.tag === 'commit') this.#synced = true;
      // That a list is begun says nothing of whether it works.
      if (effect.tag !== 'begin') this.#failure = undefined;
      return;
    }
    const { optional, store } = this.#options;
    const { kind } = store;
    const { error, retryMs } = effect;
    const isKnown = optional && this.#failure?.status === error.status;
    this.#failure = error;
    this.#options.source.sending.metrics?.client.watchFailed(kind.kind, error.reason);
    // What an optional kind lacks stays so for long, and is said once.
    if (isKnown) return;
    this.#options.log.warn('list-watch failed, trying again', {
      kind: kind.kind,
      status: error.status,
      reason: error.reason,
      error: error.message,
      retryMs,
    });
  }

  #reportMalformed(malformed: MalformedObject): void {
    const { kind } = this.#options.store.kind;
    this.#options.source.sending.metrics?.client.malformedObject(kind);
    this.#options.log.error('an object of the server cannot be read and is left as it was last', {
      kind,
      key: malformed.key,
      error: malformed.message,
    });
  }
}
