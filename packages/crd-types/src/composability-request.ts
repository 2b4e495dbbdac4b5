import { Type, type Static } from 'typebox';
import { Conditions } from './conditions.ts';
import { DeviceType } from './device-type.ts';
import { ObjectMeta } from './object-meta.ts';

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, format: 'int64', description }));

/** States of a ComposabilityRequest. `''` is an object that the operator has not seen yet. */
export const RequestState = Type.Union([
  Type.Literal(''),
  Type.Literal('NodeAllocating'),
  Type.Literal('Updating'),
  Type.Literal('Running'),
  Type.Literal('Cleaning'),
  Type.Literal('Deleting'),
]);
/** State of a ComposabilityRequest. */
export type RequestState = Static<typeof RequestState>;

/** What a node must still be able to give. */
export const NodeRequirements = Type.Object({
  milli_cpu: count('Thousandths of a core.'),
  memory: count('Bytes.'),
  ephemeral_storage: count('Bytes.'),
  allowed_pod_number: count('Pods that can still be started.'),
});
/** `spec.resource.other_spec`. */
export type NodeRequirements = Static<typeof NodeRequirements>;

/** What is asked for: so many devices of a model, and where. */
export const ScalarResourceDetails = Type.Object({
  type: DeviceType,
  model: Type.String({ minLength: 1, description: 'Model of the device, as the fabric names it.' }),
  size: Type.Integer({ minimum: 0, format: 'int64', description: 'How many devices.' }),
  force_detach: Type.Optional(
    Type.Boolean({ description: 'Detach without asking whether something uses the device.' }),
  ),
  allocation_policy: Type.Optional(
    Type.Union([Type.Literal('samenode'), Type.Literal('differentnode')], {
      default: 'samenode',
      description: 'samenode: all devices on one node. differentnode: each on a node of its own.',
    }),
  ),
  target_node: Type.Optional(Type.String({ description: 'The node that gets the devices; only with samenode.' })),
  other_spec: Type.Optional(NodeRequirements),
});
/** `spec.resource`. */
export type ScalarResourceDetails = Static<typeof ScalarResourceDetails>;

/** One entry of `status.resources`: a copy of what its ComposableResource says. */
export const PlannedResource = Type.Object({
  state: Type.String({ description: 'State of the ComposableResource; empty while it is only planned.' }),
  device_id: Type.Optional(Type.String()),
  cdi_device_id: Type.Optional(Type.String()),
  node_name: Type.Optional(Type.String({ description: 'The node chosen for it.' })),
  error: Type.Optional(Type.String()),
});
/** One entry of `status.resources`. */
export type PlannedResource = Static<typeof PlannedResource>;

/** `spec` of a ComposabilityRequest. */
export const ComposabilityRequestSpec = Type.Object({ resource: ScalarResourceDetails });
/** `spec` of a ComposabilityRequest. */
export type ComposabilityRequestSpec = Static<typeof ComposabilityRequestSpec>;

/** `status` of a ComposabilityRequest. */
export const ComposabilityRequestStatus = Type.Object({
  state: Type.String({ description: 'One of "", NodeAllocating, Updating, Running, Cleaning, Deleting.' }),
  error: Type.Optional(Type.String({ description: 'What the operator is failing at.' })),
  resources: Type.Optional(
    Type.Record(Type.String(), PlannedResource, { description: 'The ComposableResources of this request, by name.' }),
  ),
  scalarResource: Type.Optional(ScalarResourceDetails),
  conditions: Type.Optional(Conditions),
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, format: 'int64', description: 'metadata.generation that status is about.' }),
  ),
});
/** `status` of a ComposabilityRequest. */
export type ComposabilityRequestStatus = Static<typeof ComposabilityRequestStatus>;

/** A ComposabilityRequest as the API server returns it. */
export const ComposabilityRequest = Type.Object({
  apiVersion: Type.Literal('cro.hpsys.ibm.ie.com/v1alpha1'),
  kind: Type.Literal('ComposabilityRequest'),
  metadata: ObjectMeta,
  spec: ComposabilityRequestSpec,
  status: Type.Optional(ComposabilityRequestStatus),
});
/** A user's wish for devices. */
export type ComposabilityRequest = Static<typeof ComposabilityRequest>;
