import type { KubeObject } from '../kind.ts';
import type { WatchEffect } from './state.ts';
import type { Store } from './store.ts';

/** An effect that changes the store. */
export type StoreEffect = Exclude<WatchEffect, { readonly tag: 'report' }>;

/** Does to the store what the list-watch asks for. */
export function applyEffect<T extends KubeObject>(store: Store<T>, effect: StoreEffect): void {
  switch (effect.tag) {
    case 'begin':
      store.begin();
      return;
    case 'set':
      store.set(effect.value);
      if (effect.version !== undefined) store.reached(effect.version);
      return;
    case 'remove':
      store.remove(effect.value);
      store.reached(effect.version);
      return;
    case 'reached':
      store.reached(effect.version);
      return;
    case 'commit':
      store.commit(effect.version);
      return;
    case 'distrust':
      store.distrust();
      return;
  }
}
