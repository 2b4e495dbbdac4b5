import { describe, expect, test } from 'vitest';
import { crds, type JsonSchemaProps } from '../src/crd.ts';
import { goCrds } from '../src/testing.ts';

/* The Go operator's objects stay valid, and what it knows stays where it was: our CRDs are a superset of its. */

interface Difference {
  readonly path: string;
  readonly what: string;
}

/** Where our schema lacks something of theirs, changes it, or asks for more. */
function differences(theirs: JsonSchemaProps, ours: JsonSchemaProps | undefined, path: string): Difference[] {
  if (ours === undefined) return [{ path, what: 'missing' }];
  const { properties, additionalProperties, required = [], ...rules } = theirs;
  const changed = Object.entries(rules).filter(
    ([rule, value]) => JSON.stringify(ours[rule as keyof JsonSchemaProps]) !== JSON.stringify(value),
  );
  const added = Object.keys(ours).filter(
    (rule) => !(rule in theirs) && !['description', 'required', 'properties', 'maxLength'].includes(rule),
  );
  const demanded = (ours.required ?? []).filter((name) => !required.includes(name));
  return [
    ...[...changed.map(([rule]) => rule), ...added].map((rule) => ({ path, what: `${rule} differs` })),
    ...required
      .filter((name) => ours.required?.includes(name) !== true)
      .map((name) => ({ path, what: `${name} is not required` })),
    ...demanded.map((name) => ({ path, what: `${name} is required` })),
    ...Object.entries(properties ?? {}).flatMap(([name, schema]) =>
      differences(schema, ours.properties?.[name], `${path}.${name}`),
    ),
    ...(typeof additionalProperties === 'object'
      ? differences(
          additionalProperties,
          typeof ours.additionalProperties === 'object' ? ours.additionalProperties : undefined,
          `${path}.*`,
        )
      : []),
  ];
}

function schemaOf(crd: (typeof crds)[number] | undefined): JsonSchemaProps {
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema;
  if (schema === undefined) throw new Error('a CRD without a schema');
  return schema;
}

describe.each(goCrds.map((crd) => [crd.spec.names.kind, crd] as const))('the CRD of %s', (kind, theirs) => {
  const ours = crds.find((crd) => crd.spec.names.kind === kind);
  test('has the same names, scope and version', () => {
    const { shortNames: _, ...names } = ours?.spec.names ?? {};
    expect(names).toEqual(theirs.spec.names);
    expect(ours?.metadata.name).toBe(theirs.metadata.name);
    expect(ours?.spec.group).toBe(theirs.spec.group);
    expect(ours?.spec.scope).toBe(theirs.spec.scope);
    const [version] = theirs.spec.versions;
    expect(ours?.spec.versions).toMatchObject([{ ...version, schema: {} }]);
  });
  test('has every field with the same rules, and asks for nothing more but the spec', () => {
    expect(differences(schemaOf(theirs), schemaOf(ours), '')).toEqual([{ path: '', what: 'spec is required' }]);
  });
});
