import { applyEffect } from '../../src/watch/apply.ts';
import type { WatchInput, WatchState } from '../../src/watch/state.ts';
import { start, step } from '../../src/watch/step.ts';
import { Store, type CacheEvent, type MalformedObject } from '../../src/watch/store.ts';
import { widgets, type Widget } from './widget.ts';

interface Change {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: Widget;
  readonly version: number;
}

const PAGE = 2;

/**
 * A server, the list-watch and a store, moved by hand one input at a time: no clock, no promise, no socket. What can
 * happen between two inputs is up to the test.
 */
export class WatchModel {
  state: WatchState = start;
  readonly events: CacheEvent<Widget>[] = [];
  readonly malformed: MalformedObject[] = [];
  readonly store = new Store<Widget>({
    kind: widgets,
    onEvent: (event) => {
      this.events.push(event);
    },
    onMalformed: (malformed) => {
      this.malformed.push(malformed);
    },
  });
  /** What the server holds. */
  objects = new Map<string, Widget>();
  version = 10;
  at = 0;
  /** What a watch from a version that is too old gets. */
  expired: 'error' | 'close' = 'error';
  readonly #garbled = new Set<number>();
  #uids = 0;
  #history: Change[] = [];
  #oldest = 0;
  #snapshots = new Map<string, readonly Widget[]>();

  constructor() {
    this.store.begin();
  }

  /** Creates the object when it is not there, else updates it. */
  write(name: string): Widget {
    this.version += 1;
    const present = this.objects.get(name);
    if (present === undefined) this.#uids += 1;
    const uid = present?.metadata.uid ?? `u${this.#uids}`;
    const object = widgetOf(name, uid, this.version);
    this.objects.set(name, object);
    this.#history.push({ type: present === undefined ? 'added' : 'modified', object, version: this.version });
    return object;
  }

  delete(name: string): Widget | undefined {
    const present = this.objects.get(name);
    if (present === undefined) return undefined;
    this.version += 1;
    this.objects.delete(name);
    const object = widgetOf(name, present.metadata.uid, this.version);
    this.#history.push({ type: 'deleted', object, version: this.version });
    return present;
  }

  /** The newest change cannot be read from now on. */
  garble(): void {
    this.#garbled.add(this.version);
  }

  /** The server forgets its past. */
  compact(): void {
    this.#oldest = this.version;
    this.#snapshots.clear();
  }

  /** The server is set up again from an old backup: versions begin lower, with the objects of `names`. */
  restore(names: readonly string[]): void {
    this.version = Math.max(1, Math.floor(this.version / 2));
    this.objects = new Map();
    this.#history = [];
    for (const name of names) this.write(name);
    this.compact();
  }

  /** Feeds one input. */
  feed(input: WatchInput, random = 0.5): void {
    const { state, effects } = step(this.state, input, { at: this.at, random });
    this.state = state;
    for (const effect of effects) if (effect.tag !== 'report') applyEffect(this.store, effect);
  }

  /** Lets the server answer what the list-watch asks for next. False when there is nothing to say. */
  answer(bookmark = false): boolean {
    switch (this.state.tag) {
      case 'listing':
        this.#page(this.state.continueToken);
        return true;
      case 'watching':
        return this.#event(Number(this.state.resourceVersion), bookmark);
      case 'waiting':
        this.at += this.state.delayMs;
        this.feed({ tag: 'elapsed' });
        return true;
    }
  }

  /** Lets the server answer without a fault until the list-watch has caught up. */
  settle(): void {
    this.at += 10_000;
    for (let turns = 0; turns < 10_000; turns += 1) if (!this.answer()) return;
    throw new Error(`the list-watch does not settle: ${JSON.stringify(this.state)}`);
  }

  #page(token: string | undefined): void {
    const [version = String(this.version), offset = '0'] = token?.split(':') ?? [];
    if (token === undefined) this.#snapshots.set(version, [...this.objects.values()]);
    const snapshot = this.#snapshots.get(version);
    if (snapshot === undefined) {
      this.feed({ tag: 'failed', error: { status: 410, reason: 'Expired', message: 'token' } });
      return;
    }
    const end = Number(offset) + PAGE;
    for (const value of snapshot.slice(Number(offset), end)) this.feed({ tag: 'item', value });
    const more = end < snapshot.length;
    this.feed({ tag: 'page', resourceVersion: version, ...(more && { continueToken: `${version}:${end}` }) });
  }

  #event(from: number, bookmark: boolean): boolean {
    if (from < this.#oldest || from > this.version) {
      if (this.expired === 'close') this.feed({ tag: 'closed' });
      else this.feed({ tag: 'failed', error: { status: 410, reason: 'Expired', message: 'too old' } });
      return true;
    }
    const change = this.#history.find(({ version }) => version > from);
    if (change !== undefined && this.#garbled.has(change.version)) {
      this.feed({ tag: 'garbled', message: 'no JSON' });
    } else if (change !== undefined) {
      this.feed({ tag: change.type, value: change.object, resourceVersion: String(change.version) });
    } else if (bookmark) {
      this.feed({ tag: 'bookmark', resourceVersion: String(this.version) });
    }
    return change !== undefined;
  }
}

function widgetOf(name: string, uid: string, version: number): Widget {
  const metadata = { name, namespace: 'default', uid, resourceVersion: String(version) };
  return { apiVersion: 'test.example/v1', kind: 'Widget', metadata, spec: { size: version } };
}
