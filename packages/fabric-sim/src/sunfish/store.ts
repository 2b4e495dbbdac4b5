import { ref, type Body } from '../redfish/entry.ts';
import { at } from '../redfish/change-blocks.ts';
import { lastSegment, ROOT } from '../redfish/uris.ts';

/** The server's own tree: what it was told, which need not be what is. */
export class Store {
  readonly #bodies = new Map<string, Body>();

  /** A resource as it is stored. */
  get(uri: string): Body | undefined {
    return this.#bodies.get(uri);
  }

  /** Stores a resource as it is. */
  set(uri: string, body: Body): void {
    this.#bodies.set(uri, body);
  }

  /** Forgets everything. */
  clear(): void {
    this.#bodies.clear();
  }

  /** Stores a new resource, and invents its collection when there is none. False when it is there already. */
  create(uri: string, body: Body): boolean {
    const parent = parentOf(uri);
    const known = this.#bodies.get(parent);
    const members = membersOf(known);
    if (members.some((member) => at(member, '@odata.id') === uri)) return false;
    this.#bodies.set(uri, body);
    this.#bodies.set(parent, withMembers(known ?? inventedCollection(parent), [...members, ref(uri)]));
    if (known === undefined) this.#linkFromParent(parent);
    return true;
  }

  /** Takes a resource out, and every link to it. */
  remove(uri: string): void {
    this.#bodies.delete(uri);
    for (const [key, body] of this.#bodies) {
      const members = membersOf(body);
      const left = members.filter((member) => at(member, '@odata.id') !== uri);
      const kept = left.length < members.length ? withMembers(body, left) : body;
      this.#bodies.set(key, withoutLinks(kept, uri));
    }
  }

  /** The parent of an invented collection gets a link to it: the wrong one, as the real server writes it. */
  #linkFromParent(collection: string): void {
    const parent = this.#bodies.get(parentOf(collection));
    const name = lastSegment(collection);
    if (parent !== undefined) this.#bodies.set(parentOf(collection), { ...parent, [name]: ref(`${ROOT}/${name}`) });
  }
}

/** A resource's parent. */
export function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

function membersOf(body: Body | undefined): readonly unknown[] {
  const members = body?.['Members'];
  return Array.isArray(members) ? members : [];
}

function withMembers(body: Body, members: readonly unknown[]): Body {
  return { ...body, Members: members, 'Members@odata.count': members.length };
}

function inventedCollection(uri: string): Body {
  const name = lastSegment(uri);
  const type = name.replace(/s$/, '');
  return {
    '@odata.id': `${ROOT}/${name}`,
    '@odata.type': `#${type}Collection.${type}Collection`,
    Name: `${type} Collection`,
  };
}

function withoutLinks(body: Body, uri: string): Body {
  const { Links: links } = body;
  if (typeof links !== 'object' || links === null) return body;
  const entries = Object.entries(links).map(([key, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [key, value];
    const items: readonly unknown[] = value;
    return [key, items.filter((item) => at(item, '@odata.id') !== uri)];
  });
  return { ...body, Links: Object.fromEntries(entries) };
}
