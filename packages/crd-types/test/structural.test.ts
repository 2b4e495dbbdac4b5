import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { composabilityRequestCrd, composableResourceCrd, crds, defineCrd, toStructural } from '../src/crd.ts';

test('TypeBox idioms become those of OpenAPI v3', () => {
  const schema = Type.Object({
    color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')], { default: 'red' })),
    kind: Type.Literal('Widget'),
    level: Type.Union([Type.Literal(1), Type.Literal(2)]),
    ratio: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    labels: Type.Record(Type.String(), Type.String()),
    anything: Type.Record(Type.String(), Type.Unknown(), { 'x-kubernetes-preserve-unknown-fields': true }),
    port: Type.Union([Type.Integer(), Type.String()], { 'x-kubernetes-int-or-string': true }),
    count: Type.Integer({ format: 'int64', minimum: 0 }),
  });
  expect(toStructural(schema, 'spec')).toEqual({
    type: 'object',
    required: ['kind', 'level', 'ratio', 'labels', 'anything', 'port', 'count'],
    properties: {
      color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
      kind: { type: 'string', enum: ['Widget'] },
      level: { type: 'integer', enum: [1, 2] },
      ratio: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      port: { 'x-kubernetes-int-or-string': true },
      count: { type: 'integer', format: 'int64', minimum: 0 },
    },
  });
});

test('enums of every scalar, and list keys that have a default', () => {
  const keyed = Type.Array(Type.Object({ key: Type.Optional(Type.String({ default: 'a' })) }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  });
  expect(toStructural(Type.Union([Type.Literal(1.5), Type.Literal(2)]), 'f')).toEqual({
    type: 'number',
    enum: [1.5, 2],
  });
  expect(toStructural(Type.Literal(true), 'f')).toEqual({ type: 'boolean', enum: [true] });
  expect(toStructural(Type.Enum(['a', 'b']), 'f')).toEqual({ type: 'string', enum: ['a', 'b'] });
  expect(toStructural(keyed, 'f')).toEqual({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
    items: { type: 'object', properties: { key: { type: 'string', default: 'a' } } },
  });
});

test('columns may show metadata, parts of maps, and what a filter finds', () => {
  const paths = ['.metadata.labels.team', '.spec.limits.cpu', '.status.conditions[?(@.type=="Ready")].status'];
  const crd = defineCrd({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    shortNames: ['wd'],
    scope: 'Cluster',
    spec: Type.Object({ limits: Type.Record(Type.String(), Type.String()) }),
    printerColumns: paths.map((jsonPath) => ({ name: 'A', type: 'string', jsonPath }) as const),
  });
  expect(crd.spec.versions[0]?.additionalPrinterColumns?.map(({ jsonPath }) => jsonPath)).toEqual(paths);
  expect(crd.spec.names).toEqual({
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd'],
  });
});

test('a kind without a status has no subresource', () => {
  const crd = defineCrd({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    scope: 'Namespaced',
    spec: Type.Object({}),
  });
  expect(crd.spec.versions[0]).not.toHaveProperty('subresources');
  expect(crd.spec.versions[0]?.schema.openAPIV3Schema.properties).not.toHaveProperty('status');
});

test('both kinds are cluster scoped, with status as a subresource', () => {
  for (const crd of crds) {
    expect(crd.spec.scope).toBe('Cluster');
    expect(crd.spec.versions.map(({ name, subresources }) => ({ name, subresources }))).toEqual([
      { name: 'v1alpha1', subresources: { status: {} } },
    ]);
  }
  expect(crds.map(({ metadata }) => metadata.name)).toEqual([
    'composabilityrequests.cro.hpsys.ibm.ie.com',
    'composableresources.cro.hpsys.ibm.ie.com',
  ]);
});

// The fields that the Go operator's definitions have, and what they require.
test('the fields and rules of the Go operator are there', () => {
  const request = composabilityRequestCrd.spec.versions[0]?.schema.openAPIV3Schema.properties;
  expect(request?.['spec']).toMatchObject({
    required: ['resource'],
    properties: {
      resource: {
        required: ['type', 'model', 'size'],
        properties: {
          type: { type: 'string', enum: ['gpu', 'cxlmemory'] },
          model: { type: 'string', minLength: 1 },
          size: { type: 'integer', format: 'int64', minimum: 0 },
          force_detach: { type: 'boolean' },
          allocation_policy: { type: 'string', enum: ['samenode', 'differentnode'], default: 'samenode' },
          target_node: { type: 'string' },
          other_spec: {
            type: 'object',
            properties: Object.fromEntries(
              ['milli_cpu', 'memory', 'ephemeral_storage', 'allowed_pod_number'].map((name) => [
                name,
                { type: 'integer', format: 'int64', minimum: 0 },
              ]),
            ),
          },
        },
      },
    },
  });
  expect(request?.['status']).toMatchObject({
    required: ['state'],
    properties: { resources: { additionalProperties: { required: ['state'] } } },
  });
  const resource = composableResourceCrd.spec.versions[0]?.schema.openAPIV3Schema.properties;
  expect(resource?.['spec']?.required).toEqual(['type', 'model', 'target_node']);
  expect(resource?.['status']?.required).toEqual(['state']);
});
