/** A resource's JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** A place in a Redfish tree. Its body is made when it is asked for. */
export interface Entry {
  readonly uri: string;
  body(): Body;
  /** What is below it, by the next part of the path. */
  child(segment: string): Entry | undefined;
  /** Everything right below it. */
  children(): readonly Entry[];
}

/** A reference to a resource. */
export function ref(uri: string): Body {
  return { '@odata.id': uri };
}

/** A resource with what is below it. `type` is the schema: `ComputerSystem.v1_21_0.ComputerSystem`. */
export function resource(uri: string, type: string, properties: Body, below: readonly Entry[] = []): Entry {
  const id = uri.slice(uri.lastIndexOf('/') + 1);
  return {
    uri,
    body: () => ({ '@odata.id': uri, '@odata.type': `#${type}`, Id: id, Name: id, ...properties }),
    child: (segment) => below.find((entry) => entry.uri === `${uri}/${segment}`),
    children: () => below,
  };
}

/** A collection. `one` makes a member, or says that there is none. */
export function collection(
  uri: string,
  type: string,
  ids: () => readonly string[],
  one: (id: string) => Entry | undefined,
): Entry {
  return {
    uri,
    body: () => {
      const members = ids();
      return {
        '@odata.id': uri,
        '@odata.type': `#${type}Collection.${type}Collection`,
        Name: `${type} Collection`,
        'Members@odata.count': members.length,
        Members: members.map((id) => ref(`${uri}/${id}`)),
      };
    },
    child: one,
    children: () => ids().flatMap((id) => one(id) ?? []),
  };
}

/** Finds a resource by its URI below `root`. A slash at the end does not matter. */
export function find(root: Entry, uri: string): Entry | undefined {
  const bare = uri.length > 1 && uri.endsWith('/') ? uri.slice(0, -1) : uri;
  if (bare === root.uri) return root;
  if (!bare.startsWith(`${root.uri}/`)) return undefined;
  const segments = bare.slice(root.uri.length + 1).split('/');
  return segments.reduce<Entry | undefined>((at, segment) => at?.child(segment), root);
}

/** An entry and everything below it. */
export function* walk(entry: Entry): Iterable<Entry> {
  yield entry;
  for (const child of entry.children()) yield* walk(child);
}
