import type { Body } from './entry.ts';

/** What `$expand` asks for: `.` all references but those in `Links`, `~` those in `Links`, `*` all. */
export interface Expansion {
  readonly which: '.' | '~' | '*';
  readonly levels: number;
}

/** Reads `$expand=.($levels=2)`. Undefined when there is none, or none that is known. */
export function expansionOf(url: URL): Expansion | undefined {
  const match = /^([.~*])(?:\(\$levels=(\d+)\))?$/.exec(url.searchParams.get('$expand') ?? '');
  const [, which, levels] = match ?? [];
  if (which !== '.' && which !== '~' && which !== '*') return undefined;
  return { which, levels: Number(levels ?? 1) };
}

/**
 * Puts resources in the place of references to them. `look` answers a resource's body; what it does not know, or cannot
 * read, stays a reference (DSP0266, "The $expand query parameter").
 */
export function expand(body: Body, by: Expansion, look: (uri: string) => Body | undefined): Body {
  const inside = (value: unknown, inLinks: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => inside(item, inLinks));
    if (!isBody(value)) return value;
    const uri = value['@odata.id'];
    const isReference = typeof uri === 'string' && Object.keys(value).length === 1;
    if (!isReference) return fields(value, inLinks);
    const wanted = by.which === '*' || inLinks === (by.which === '~');
    const found = wanted ? look(uri) : undefined;
    if (found === undefined) return value;
    return by.levels > 1 ? expand(found, { ...by, levels: by.levels - 1 }, look) : found;
  };
  const fields = (value: Body, inLinks: boolean): Body =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(item, inLinks || key === 'Links')]));
  return fields(body, false);
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
