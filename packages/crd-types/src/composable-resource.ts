import { Type, type Static } from 'typebox';
import { Conditions } from './conditions.ts';
import { DeviceType } from './device-type.ts';
import { ObjectMeta } from './object-meta.ts';
import { Operation } from './operation.ts';

/** The life of one device. `''` is an object that the operator has not seen yet. */
export const ResourceState = Type.Union([
  Type.Literal(''),
  Type.Literal('Attaching'),
  Type.Literal('Online'),
  Type.Literal('Detaching'),
  Type.Literal('Deleting'),
]);
/** State of a ComposableResource. */
export type ResourceState = Static<typeof ResourceState>;

/** Which fabric, and which machine of it, holds the device. Outlives the Node object. */
export const FabricLocation = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the provider.' }),
    machine: Type.String({ minLength: 1, maxLength: 256, description: "The fabric's id of the machine." }),
  },
  { description: 'Where the device is on the fabric.' },
);
/** `status.fabric`. */
export type FabricLocation = Static<typeof FabricLocation>;

/** `spec` of a ComposableResource: one device on one node. */
export const ComposableResourceSpec = Type.Object({
  type: DeviceType,
  model: Type.String({ description: 'Model of the device, as the fabric names it.' }),
  target_node: Type.String({ description: 'Name of the node that gets the device.' }),
  force_detach: Type.Optional(
    Type.Boolean({ description: 'Detach without asking whether something uses the device.' }),
  ),
});
/** `spec` of a ComposableResource. */
export type ComposableResourceSpec = Static<typeof ComposableResourceSpec>;

/** `status` of a ComposableResource. */
export const ComposableResourceStatus = Type.Object({
  state: Type.String({ description: 'One of "", Attaching, Online, Detaching, Deleting.' }),
  error: Type.Optional(
    Type.String({ description: 'What the operator is failing at, or what is wrong with the device.' }),
  ),
  device_id: Type.Optional(Type.String({ description: 'What the node knows the device by (the UUID of a GPU).' })),
  cdi_device_id: Type.Optional(Type.String({ description: 'What the fabric knows the device by.' })),
  conditions: Type.Optional(Conditions),
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, format: 'int64', description: 'metadata.generation that status is about.' }),
  ),
  operation: Type.Optional(Operation),
  fabric: Type.Optional(FabricLocation),
});
/** `status` of a ComposableResource. */
export type ComposableResourceStatus = Static<typeof ComposableResourceStatus>;

/** A ComposableResource as the API server returns it. */
export const ComposableResource = Type.Object({
  apiVersion: Type.Literal('cro.hpsys.ibm.ie.com/v1alpha1'),
  kind: Type.Literal('ComposableResource'),
  metadata: ObjectMeta,
  spec: ComposableResourceSpec,
  status: Type.Optional(ComposableResourceStatus),
});
/** One device of the fabric on one node. */
export type ComposableResource = Static<typeof ComposableResource>;
