import { isObject, type JsonObject, listAt, stringAt } from '../base/json.ts';
import type { Change } from '../store/change.ts';
import type { Place } from '../store/store.ts';

/** Where an object is. */
export interface Ref {
  readonly place: Place;
  readonly key: string;
}

/** The owners that an object names. */
export function ownersOf(object: JsonObject | undefined): readonly JsonObject[] {
  return object === undefined ? [] : listAt(object, 'metadata', 'ownerReferences').filter(isObject);
}

/** Which objects name which owner, by the owner's uid. */
export class Dependents {
  readonly #byOwner = new Map<string, Map<string, Ref>>();

  of(ownerUid: string): readonly Ref[] {
    return [...(this.#byOwner.get(ownerUid)?.values() ?? [])];
  }

  /** Keeps up with a change. */
  follow(place: Place, change: Change): void {
    const id = `${place.group}/${place.plural}/${change.key}`;
    for (const owner of ownersOf(change.previous)) this.#remove(stringAt(owner, 'uid') ?? '', id);
    if (change.type === 'DELETED') return;
    for (const owner of ownersOf(change.object)) {
      const uid = stringAt(owner, 'uid') ?? '';
      const known = this.#byOwner.get(uid) ?? new Map<string, Ref>();
      this.#byOwner.set(uid, known.set(id, { place, key: change.key }));
    }
  }

  #remove(uid: string, id: string): void {
    const known = this.#byOwner.get(uid);
    known?.delete(id);
    if (known?.size === 0) this.#byOwner.delete(uid);
  }
}
