import { isDeepStrictEqual } from 'node:util';
import { decodeObject } from '../decode.ts';
import type { Kind, KubeObject } from '../kind.ts';
import { identityOf, type Identity } from './identity.ts';
import { Indexes, type IndexFunction } from './indexes.ts';
import { compareVersions, isOlder } from './version.ts';

/** A change of a cache. A recreated object (same name, other uid) is a `deleted` and then a `set`. */
export type CacheEvent<T> =
  | { readonly type: 'set'; readonly object: T; readonly previous?: T }
  | { readonly type: 'deleted'; readonly object: T };

/** An object that the server has and that does not decode. */
export interface MalformedObject {
  readonly key: string;
  readonly message: string;
}

/** What a store needs. */
export interface StoreOptions<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Only some objects of the kind are watched: `deleted` can then mean that the object no longer matches. */
  readonly filtered?: boolean;
  /** Says whether an object of ours belongs here; asked only for own writes. */
  readonly accepts?: (value: unknown) => boolean;
  readonly onEvent: (event: CacheEvent<T>) => void;
  readonly onMalformed: (malformed: MalformedObject) => void;
}

/**
 * The objects, as the watch and our own acknowledged writes tell. Two rules keep them right: within one uid only a newer
 * version replaces an older one, but for the answer to an own write of the same version, and a uid that we deleted never comes back.
 */
export class Store<T extends KubeObject> {
  readonly #options: StoreOptions<T>;
  readonly #indexes: Indexes<T>;
  readonly #objects = new Map<string, T>();
  readonly #malformed = new Map<string, MalformedObject>();
  /** Uids that we deleted and the watch has not: each with the list that was begun last by then. */
  readonly #deleted = new Map<string, number>();
  /** By key, the version of an object that we deleted: what is older has been there before it, and does not come back. */
  readonly #floors = new Map<string, string>();
  /** Keys whose versions are from before the server's history started anew. */
  readonly #distrusted = new Set<string>();
  #seen = new Set<string>();
  #lists = 0;
  /** Everything up to here has been seen. */
  #version: string | undefined;
  #all: readonly T[] | undefined;

  constructor(options: StoreOptions<T>) {
    this.#options = options;
    this.#indexes = new Indexes(options.indexes ?? {});
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    this.#all ??= [...this.#objects.values()];
    return this.#all;
  }

  byIndex(index: string, value: string): readonly T[] {
    const found: T[] = [];
    for (const key of this.#indexes.keys(index, value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  malformed(): readonly MalformedObject[] {
    return [...this.#malformed.values()];
  }

  /** A list begins. */
  begin(): void {
    this.#lists += 1;
    this.#seen = new Set();
  }

  /** The list is complete: what it did not name is gone, but for what we wrote after its snapshot. */
  commit(version: string): void {
    for (const [key, object] of this.#objects) {
      if (this.#seen.has(key)) continue;
      const newer = (compareVersions(object.metadata.resourceVersion, version) ?? 0) > 0;
      if (!newer || this.#distrusted.has(key)) this.#remove(key, object);
    }
    for (const key of this.#malformed.keys()) if (!this.#seen.has(key)) this.#malformed.delete(key);
    for (const [uid, list] of this.#deleted) if (list < this.#lists) this.#deleted.delete(uid);
    this.#distrusted.clear();
    this.#seen = new Set();
    this.reached(version);
  }

  /** Everything up to `version` has been seen. */
  reached(version: string): void {
    this.#version = version;
    for (const [key, floor] of this.#floors) if (!isOlder(version, floor)) this.#floors.delete(key);
  }

  /** Versions that are held say nothing any more. */
  distrust(): void {
    for (const key of this.#objects.keys()) this.#distrusted.add(key);
    this.#floors.clear();
    this.#version = undefined;
  }

  /** An object from a list, or from the watch. */
  set(value: unknown): void {
    const identity = this.#identify(value);
    if (identity === undefined) return;
    this.#seen.add(identity.key);
    this.#accept(value, identity);
  }

  /** The watch says that an object is gone. */
  remove(value: unknown): void {
    const identity = this.#identify(value);
    if (identity === undefined) return;
    this.#deleted.delete(identity.uid);
    this.#malformed.delete(identity.key);
    const held = this.#objects.get(identity.key);
    if (held?.metadata.uid !== identity.uid) return;
    const late = this.#options.filtered === true && isOlder(identity.version, held.metadata.resourceVersion);
    if (late) return;
    this.#remove(identity.key, held);
  }

  /** An own write was acknowledged. What the watch has passed already is not put back. */
  wrote(value: unknown): void {
    const identity = identityOf(value);
    if (identity === undefined) return;
    const held = this.#objects.get(identity.key);
    const { uid, resourceVersion } = held?.metadata ?? {};
    const isSame = uid === identity.uid && resourceVersion === identity.version;
    if (held !== undefined && isSame && !this.#distrusted.has(identity.key)) {
      this.#correct(held, value, identity.key);
      return;
    }
    const passed = this.#version !== undefined && (compareVersions(identity.version, this.#version) ?? 1) <= 0;
    if (passed) return;
    if (this.#options.accepts?.(value) !== false) this.#accept(value, identity);
  }

  /** An own delete was acknowledged, and the object is gone. */
  wroteGone(key: string, uid: string): void {
    const held = this.#objects.get(key);
    if (held?.metadata.uid !== uid) return;
    this.#deleted.set(uid, this.#lists);
    this.#floors.set(key, held.metadata.resourceVersion);
    this.#remove(key, held);
  }

  /**
   * The server answered an own write with the version that is held. While a CustomResourceDefinition is being replaced, a watch that is open still
   * shows objects by the schema that it began with: the answer is by that which counts now, and the version never comes again.
   */
  #correct(held: T, value: unknown, key: string): void {
    const decoded = decodeObject(this.#options.kind, value);
    if (decoded.tag === 'ok' && !isDeepStrictEqual(decoded.object, held)) this.#put(key, held, decoded.object);
  }

  #identify(value: unknown): Identity | undefined {
    const identity = identityOf(value);
    if (identity === undefined) {
      const message = 'metadata: expected name, uid and resourceVersion as text';
      this.#options.onMalformed({ key: '(unknown)', message });
    }
    return identity;
  }

  #accept(value: unknown, { key, uid, version }: Identity): void {
    const floor = this.#floors.get(key);
    if (this.#deleted.has(uid) || (floor !== undefined && isOlder(version, floor))) return;
    const held = this.#objects.get(key);
    if (held !== undefined && !this.#distrusted.has(key)) {
      const { uid: heldUid, resourceVersion } = held.metadata;
      if ((uid === heldUid && version === resourceVersion) || isOlder(version, resourceVersion)) return;
    }
    const decoded = decodeObject(this.#options.kind, value);
    if (decoded.tag === 'malformed') {
      this.#keepMalformed({ key, message: decoded.message });
      return;
    }
    this.#malformed.delete(key);
    this.#distrusted.delete(key);
    this.#put(key, held, decoded.object);
  }

  /** The last good state stays: to take an object for absent because it cannot be read would be worse. */
  #keepMalformed(malformed: MalformedObject): void {
    if (this.#malformed.get(malformed.key)?.message === malformed.message) return;
    this.#malformed.set(malformed.key, malformed);
    this.#options.onMalformed(malformed);
  }

  #put(key: string, held: T | undefined, object: T): void {
    const recreated = held !== undefined && held.metadata.uid !== object.metadata.uid;
    if (recreated) this.#remove(key, held);
    const previous = recreated ? undefined : held;
    this.#objects.set(key, object);
    this.#indexes.move(key, previous, object);
    this.#all = undefined;
    this.#options.onEvent({ type: 'set', object, ...(previous !== undefined && { previous }) });
  }

  #remove(key: string, object: T): void {
    this.#objects.delete(key);
    this.#indexes.move(key, object, undefined);
    this.#distrusted.delete(key);
    this.#all = undefined;
    this.#options.onEvent({ type: 'deleted', object });
  }
}
