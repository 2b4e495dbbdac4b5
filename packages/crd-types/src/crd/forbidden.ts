const MORE: Readonly<Record<string, string>> = {
  $ref: 'write the schema out where it is used',
  $defs: 'write the schema out where it is used',
  allOf: 'merge the parts into one object (Type.Interface or Type.Evaluate)',
  oneOf: 'use a union of literals, or a field for each variant',
  not: 'use x-kubernetes-validations',
  if: 'use x-kubernetes-validations',
  patternProperties: 'only a record with any string as key can be a map',
  uniqueItems: 'use x-kubernetes-list-type: set',
  additionalItems: 'use an array whose items are all alike',
};

/** Why a keyword that is not among those of a structural schema is refused, and what to write instead. */
export function forbidden(keyword: string): string {
  const more = MORE[keyword];
  return `${keyword} is not allowed in a structural schema${more === undefined ? '' : `; ${more}`}`;
}
