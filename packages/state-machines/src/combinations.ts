/** Every value of every fact. */
export type Domain<Facts> = { readonly [Name in keyof Facts]: readonly Facts[Name][] };

/** Visits `base` with every combination of values for the facts named; the others stay as they are. */
export function forEachCombination<Facts extends object>(
  domain: Domain<Facts>,
  base: Facts,
  names: readonly (keyof Facts)[],
  visit: (facts: Facts) => void,
): void {
  const [name, ...others] = names;
  if (name === undefined) {
    visit(base);
    return;
  }
  for (const value of domain[name]) forEachCombination(domain, { ...base, [name]: value }, others, visit);
}
