import type { Kind, KubeObject } from '@cro/kube-runtime';
import { isLabelledWithGpus } from '@cro/node-device';
import { Type, type Static } from 'typebox';
import { schemaDecoder } from './schema-decoder.ts';

const Quantities = Type.Record(Type.String(), Type.String());

const NodeShape = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    uid: Type.String(),
    resourceVersion: Type.String(),
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
    annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  spec: Type.Optional(
    Type.Object({
      providerID: Type.Optional(Type.String()),
      unschedulable: Type.Optional(Type.Boolean()),
      taints: Type.Optional(Type.Array(Type.Object({ key: Type.String(), effect: Type.String() }))),
    }),
  ),
  status: Type.Optional(
    Type.Object({
      capacity: Type.Optional(Quantities),
      allocatable: Type.Optional(Quantities),
      conditions: Type.Optional(Type.Array(Type.Object({ type: Type.String(), status: Type.String() }))),
      nodeInfo: Type.Optional(Type.Object({ systemUUID: Type.Optional(Type.String()) })),
    }),
  ),
});

/** The part of a Node (core/v1) that placement and the fabric need. */
export interface NodeObject extends KubeObject {
  readonly annotations: Readonly<Record<string, string>>;
  readonly providerId: string | undefined;
  readonly systemUuid: string | undefined;
  readonly ready: boolean;
  /** A label says that it has GPUs. */
  readonly hasGpuLabel: boolean;
  /** Not cordoned, and without a taint that keeps ordinary pods away. */
  readonly schedulable: boolean;
  readonly allocatable: Readonly<Record<string, string>>;
  /** `status.capacity.memory`: a quantity. */
  readonly memory: string | undefined;
}

const REPELLING = new Set(['NoSchedule', 'NoExecute']);

function project({ metadata, spec, status }: Static<typeof NodeShape>): NodeObject {
  const { name, uid, resourceVersion, annotations = {}, labels = {} } = metadata;
  const repelled = spec?.taints?.some((taint) => REPELLING.has(taint.effect)) ?? false;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid, resourceVersion },
    annotations,
    providerId: spec?.providerID,
    systemUuid: status?.nodeInfo?.systemUUID,
    ready: status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false,
    hasGpuLabel: isLabelledWithGpus(labels),
    schedulable: !(spec?.unschedulable ?? false) && !repelled,
    allocatable: status?.allocatable ?? {},
    memory: status?.capacity?.['memory'],
  };
}

/** Nodes, projected when they are read: a Node is large and changes often. */
export const nodeKind: Kind<NodeObject> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  decode: schemaDecoder('Node', NodeShape, project),
};
