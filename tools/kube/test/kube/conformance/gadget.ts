/** A kind with all that a schema can say, as far as kube-sim knows it. */
export const gadgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.conformance.example.com' },
  spec: {
    group: 'conformance.example.com',
    scope: 'Namespaced',
    names: {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetList',
      shortNames: ['gd'],
      categories: ['toys'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.colour' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', format: 'int32', jsonPath: '.spec.size', description: 'How big.' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Since', type: 'date', jsonPath: '.status.since' },
          { name: 'Fragile', type: 'boolean', jsonPath: '.spec.fragile', priority: 1 },
          { name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name', priority: 1 },
        ],
        schema: { openAPIV3Schema: schema() },
      },
    ],
  },
};

function schema() {
  return {
    type: 'object',
    description: 'A Gadget is something to play with.',
    properties: { spec: specSchema(), status: statusSchema() },
  };
}

function specSchema() {
  return {
    type: 'object',
    description: 'What is wanted.',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 10, description: 'How big it is.' },
      ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
      step: { type: 'number', multipleOf: 0.5 },
      colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
      code: { type: 'string', pattern: '^[A-Z]+$', minLength: 2, maxLength: 5 },
      fragile: { type: 'boolean' },
      parts: partsSchema(),
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', maxItems: 3, items: { type: 'string' } },
      labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
      port: { 'x-kubernetes-int-or-string': true },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      note: { type: 'string', nullable: true },
      nested: {
        type: 'object',
        default: {},
        properties: { depth: { type: 'integer', default: 3 }, kept: { type: 'string' } },
      },
      at: { type: 'string', format: 'date-time' },
      low: { type: 'integer' },
      high: { type: 'integer' },
      fixed: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }],
      },
    },
    'x-kubernetes-validations': [
      { rule: '!has(self.low) || !has(self.high) || self.low <= self.high', message: 'low must not be above high' },
      {
        rule: '!has(self.code) || self.code != "XX"',
        messageExpression: '"code " + self.code + " is taken"',
        reason: 'FieldValueDuplicate',
        fieldPath: '.code',
      },
      { rule: '!has(self.fragile) || !self.fragile || self.size < 5' },
    ],
  };
}

function partsSchema() {
  return {
    type: 'array',
    maxItems: 3,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, weight: { type: 'integer', default: 1 } },
    },
  };
}

function statusSchema() {
  return {
    type: 'object',
    properties: {
      since: { type: 'string' },
      count: { type: 'integer', minimum: 0 },
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type', 'status'],
          properties: { type: { type: 'string' }, status: { type: 'string', enum: ['True', 'False'] } },
        },
      },
    },
  };
}

/** Where Gadgets of `default` are. */
export const GADGETS = '/apis/conformance.example.com/v1/namespaces/default/gadgets';

/** A Gadget. */
export function gadget(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: 'conformance.example.com/v1',
    kind: 'Gadget',
    metadata: { name, ...metadata },
    spec: { size: 1, ...spec },
  };
}
