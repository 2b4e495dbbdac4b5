import type { CustomResourceDefinition } from '../crd/custom-resource-definition.ts';
import type { JsonSchemaProps } from '../crd/json-schema-props.ts';
import { GROUP, VERSION } from '../names.ts';

/*
 * The shapes that the Go operator's CustomResourceDefinitions have: which fields there are, what is required, what is checked,
 * and the one default. Written down apart from our own schemas, so that tests can hold the one against the other.
 */

const text: JsonSchemaProps = { type: 'string' };
const count: JsonSchemaProps = { type: 'integer', format: 'int64', minimum: 0 };
const deviceType: JsonSchemaProps = { type: 'string', enum: ['gpu', 'cxlmemory'] };

const wish: JsonSchemaProps = {
  type: 'object',
  required: ['type', 'model', 'size'],
  properties: {
    type: deviceType,
    model: { type: 'string', minLength: 1 },
    size: count,
    force_detach: { type: 'boolean' },
    allocation_policy: { type: 'string', enum: ['samenode', 'differentnode'], default: 'samenode' },
    target_node: text,
    other_spec: {
      type: 'object',
      properties: { milli_cpu: count, memory: count, ephemeral_storage: count, allowed_pod_number: count },
    },
  },
};

const request: JsonSchemaProps = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: { type: 'object', required: ['resource'], properties: { resource: wish } },
    status: {
      type: 'object',
      required: ['state'],
      properties: {
        state: text,
        error: text,
        resources: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['state'],
            properties: { state: text, device_id: text, cdi_device_id: text, node_name: text, error: text },
          },
        },
        scalarResource: wish,
      },
    },
  },
};

const resource: JsonSchemaProps = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['type', 'model', 'target_node'],
      properties: { type: deviceType, model: text, target_node: text, force_detach: { type: 'boolean' } },
    },
    status: {
      type: 'object',
      required: ['state'],
      properties: { state: text, error: text, device_id: text, cdi_device_id: text },
    },
  },
};

function crd(kind: string, openAPIV3Schema: JsonSchemaProps): CustomResourceDefinition {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: 'Cluster',
      versions: [
        { name: VERSION, served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** CustomResourceDefinitions of the Go operator's shapes, ready to be applied. */
export const goCrds: readonly CustomResourceDefinition[] = [
  crd('ComposabilityRequest', request),
  crd('ComposableResource', resource),
];
