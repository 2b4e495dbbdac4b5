import { type JsonObject, objectAt, stringAt } from '../base/json.ts';
import type { Change } from './change.ts';
import { Collection } from './collection.ts';

/** A resource's place in the store: all its versions share it. */
export interface Place {
  readonly group: string;
  readonly plural: string;
}

/** `namespace/name`, or the name alone for a resource without namespaces. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The key of an object. */
export function keyOfObject(object: JsonObject): string {
  return keyOf(stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name') ?? '');
}

/** Every object, and one counter of versions for all of them, as etcd's revision is. */
export class Store {
  #version: number;
  readonly #collections = new Map<string, Collection>();
  readonly #historyWindow: number;
  /** Told of every change to any object, in order: the server's own controllers. */
  readonly followers = new Set<(place: Place, change: Change) => void>();

  /** `historyWindow` is the number of changes kept for each resource. */
  constructor(historyWindow: number, firstVersion = 1) {
    this.#historyWindow = historyWindow;
    this.#version = firstVersion;
  }

  /** The resourceVersion of the last write. */
  get version(): number {
    return this.#version;
  }

  collection(place: Place): Collection {
    const id = `${place.group}/${place.plural}`;
    const found = this.#collections.get(id);
    if (found !== undefined) return found;
    const created = new Collection(this.#historyWindow);
    this.#collections.set(id, created);
    return created;
  }

  /** Writes `object` and answers it with its new resourceVersion. */
  put(place: Place, object: JsonObject): JsonObject {
    const collection = this.collection(place);
    const key = keyOfObject(object);
    const previous = collection.get(key);
    const version = this.#next();
    const stored = withVersion(object, version);
    collection.set(key, stored);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    this.#announce(place, { type, version, key, object: stored, previous });
    return stored;
  }

  /** Removes the object at `key`, if there is one. Watchers are shown its last stored state. */
  remove(place: Place, key: string): void {
    const collection = this.collection(place);
    const previous = collection.get(key);
    if (previous === undefined) return;
    const version = this.#next();
    collection.delete(key);
    this.#announce(place, { type: 'DELETED', version, key, object: withVersion(previous, version), previous });
  }

  /** Forgets the history of every resource, so that watches from older versions get 410. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.history.compact(this.#version);
  }

  #announce(place: Place, change: Change): void {
    this.collection(place).history.add(change);
    for (const follower of this.followers) follower(place, change);
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }
}

function withVersion(object: JsonObject, version: number): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), resourceVersion: String(version) } };
}
