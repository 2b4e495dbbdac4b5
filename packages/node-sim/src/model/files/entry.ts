/** What stands under a path. */
export type Entry =
  | { readonly tag: 'folder' }
  | { readonly tag: 'link'; readonly target: string }
  | {
      readonly tag: 'file';
      readonly text: string;
      readonly executable?: boolean;
      /** Name of the model's own program that this file is. */
      readonly program?: string;
      /** What writing to it does. Without this it cannot be written to. */
      readonly write?: (text: string) => void | Promise<void>;
      /** What deleting it does. Without this it cannot be deleted. */
      readonly remove?: () => void;
    };

/** Entries by absolute path. Folders that lead to one need not be named. */
export type Entries = ReadonlyMap<string, Entry>;

/** Everything that stands under `at` for whoever mounts these entries there. */
export function mounted(
  at: string,
  entries: Iterable<readonly [string, Entry]>,
): readonly (readonly [string, Entry])[] {
  return [...entries].map(([path, entry]) => [`${at}${path}`, entry] as const);
}

/** Entries, with each folder that leads to one. */
export function withFolders(entries: Iterable<readonly [string, Entry]>): Entries {
  const all = new Map<string, Entry>([['/', { tag: 'folder' }]]);
  for (const [path, entry] of entries) {
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
      all.set(path.slice(0, end), { tag: 'folder' });
    }
    all.set(path, entry);
  }
  return all;
}
