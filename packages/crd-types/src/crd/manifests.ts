import { ComposabilityRequestSpec, ComposabilityRequestStatus } from '../composability-request.ts';
import { ComposableResourceSpec, ComposableResourceStatus } from '../composable-resource.ts';
import { GROUP, VERSION } from '../names.ts';
import type { CustomResourceDefinition, PrinterColumn } from './custom-resource-definition.ts';
import { defineCrd } from './define-crd.ts';

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const state: PrinterColumn = { name: 'State', type: 'string', jsonPath: '.status.state' };
const error: PrinterColumn = { name: 'Error', type: 'string', jsonPath: '.status.error' };

/** The CustomResourceDefinition of ComposabilityRequest: a superset of the Go operator's. */
export const composabilityRequestCrd: CustomResourceDefinition = defineCrd({
  group: GROUP,
  version: VERSION,
  kind: 'ComposabilityRequest',
  plural: 'composabilityrequests',
  shortNames: ['creq'],
  scope: 'Cluster',
  description: "A user's wish for devices: so many of a model, on one node or on different nodes.",
  spec: ComposabilityRequestSpec,
  status: ComposabilityRequestStatus,
  printerColumns: [
    state,
    { name: 'Size', type: 'integer', jsonPath: '.spec.resource.size' },
    { name: 'Model', type: 'string', jsonPath: '.spec.resource.model' },
    { name: 'Node', type: 'string', jsonPath: '.spec.resource.target_node' },
    { name: 'Type', type: 'string', jsonPath: '.spec.resource.type', priority: 1 },
    { name: 'Policy', type: 'string', jsonPath: '.spec.resource.allocation_policy', priority: 1 },
    error,
    age,
  ],
});

/** The CustomResourceDefinition of ComposableResource: a superset of the Go operator's. */
export const composableResourceCrd: CustomResourceDefinition = defineCrd({
  group: GROUP,
  version: VERSION,
  kind: 'ComposableResource',
  plural: 'composableresources',
  shortNames: ['cres'],
  scope: 'Cluster',
  description: 'One device of the fabric on one node. Made by the operator.',
  spec: ComposableResourceSpec,
  status: ComposableResourceStatus,
  printerColumns: [
    state,
    { name: 'Model', type: 'string', jsonPath: '.spec.model' },
    { name: 'Node', type: 'string', jsonPath: '.spec.target_node' },
    { name: 'Device', type: 'string', jsonPath: '.status.device_id' },
    { name: 'Type', type: 'string', jsonPath: '.spec.type', priority: 1 },
    { name: 'Fabric-Device', type: 'string', jsonPath: '.status.cdi_device_id', priority: 1 },
    error,
    age,
  ],
});

/** Both definitions. */
export const crds: readonly CustomResourceDefinition[] = [composabilityRequestCrd, composableResourceCrd];
