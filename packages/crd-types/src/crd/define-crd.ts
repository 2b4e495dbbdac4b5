import type { TSchema } from 'typebox';
import { checkColumns } from './check-columns.ts';
import { CrdError } from './crd-error.ts';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';
import { toStructural } from './structural.ts';

/** What a kind is called and what its objects look like. */
export interface CrdDefinition {
  /** API group, a DNS name: `cro.hpsys.ibm.ie.com`. */
  readonly group: string;
  /** `v1`, `v1alpha1`, `v2beta3`. Served and stored. */
  readonly version: string;
  readonly kind: string;
  /** Lower case; the objects' place in the API's paths. */
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly description?: string;
  /** TypeBox schema of `spec`, which every object must have. */
  readonly spec: TSchema;
  /** TypeBox schema of `status`; where there is one, status is a subresource. */
  readonly status?: TSchema;
  readonly printerColumns?: readonly PrinterColumn[];
}

/** Makes a CustomResourceDefinition from TypeBox schemas. Throws a `CrdError` for what the API server would refuse. */
export function defineCrd(definition: CrdDefinition): CustomResourceDefinition {
  const { group, version, kind, plural, scope, shortNames = [], printerColumns = [] } = definition;
  checkNames(definition);
  const root = rootSchema(definition);
  checkColumns(printerColumns, root);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length === 0 ? {} : { shortNames }),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: root },
          ...(definition.status === undefined ? {} : { subresources: { status: {} } }),
          ...(printerColumns.length === 0 ? {} : { additionalPrinterColumns: printerColumns }),
        },
      ],
    },
  };
}

function rootSchema({ description, spec, status }: CrdDefinition): JsonSchemaProps {
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: objectSchema(spec, 'spec'),
      ...(status === undefined ? {} : { status: objectSchema(status, 'status') }),
    },
  };
}

function objectSchema(schema: TSchema, path: string): JsonSchemaProps {
  const structural = toStructural(schema, path);
  if (structural.type !== 'object') throw new CrdError(path, `must be an object, found ${String(structural.type)}`);
  return structural;
}

const LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

function checkNames({ group, version, kind, plural, shortNames = [] }: CrdDefinition): void {
  const check = (ok: boolean, path: string, value: string, accepted: string): void => {
    if (!ok) throw new CrdError(path, `found "${value}", accepted: ${accepted}`);
  };
  const dns = group.split('.');
  check(dns.length > 1 && dns.every((part) => LABEL.test(part)), 'group', group, 'a lower-case DNS name with a dot');
  check(LABEL.test(version), 'version', version, 'a lower-case name such as v1alpha1');
  check(/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind), 'kind', kind, 'a name in CamelCase');
  check(LABEL.test(plural), 'plural', plural, 'lower-case letters, digits and dashes');
  for (const name of shortNames) check(LABEL.test(name), 'shortNames', name, 'lower-case letters, digits and dashes');
}
