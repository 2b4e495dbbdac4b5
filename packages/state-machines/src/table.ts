/** A condition on finite facts: for each fact named, the value or the values that fit. */
export type When<Facts> = { readonly [Name in keyof Facts]?: Facts[Name] | readonly Facts[Name][] };

/** One row of a machine's table. The first row that fits decides. */
export interface Row<Facts, Act> {
  /** What the row is for, in a few words: it labels the edge in the picture. */
  readonly name: string;
  readonly when: When<Facts>;
  readonly act: Act;
}

/** Writes a row. */
export function row<Facts, Act>(name: string, when: When<Facts>, act: Act): Row<Facts, Act> {
  return { name, when, act };
}

/** The first row that fits the facts. */
export function findRow<Facts extends object, Act>(
  rows: readonly Row<Facts, Act>[],
  facts: Facts,
): Row<Facts, Act> | undefined {
  return rows.find((candidate) => fits(candidate.when, facts));
}

function fits<Facts extends object>(when: When<Facts>, facts: Facts): boolean {
  for (const name in when) {
    const wanted: unknown = when[name];
    if (wanted === undefined) continue;
    const found: unknown = facts[name];
    if (!(Array.isArray(wanted) ? wanted.includes(found) : wanted === found)) return false;
  }
  return true;
}
