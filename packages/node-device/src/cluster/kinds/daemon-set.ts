import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { Meta, metaOf, projecting } from './meta.ts';

/** Annotation of a pod template; `kubectl rollout restart` sets it, and its change makes all pods new. */
export const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

const Count = Type.Optional(Type.Integer());
const Annotations = Type.Optional(Type.Record(Type.String(), Type.String()));
const Shape = Type.Object({
  metadata: Type.Intersect([Meta, Type.Object({ generation: Count })]),
  spec: Type.Optional(
    Type.Object({
      template: Type.Optional(Type.Object({ metadata: Type.Optional(Type.Object({ annotations: Annotations })) })),
    }),
  ),
  status: Type.Optional(
    Type.Object({
      observedGeneration: Count,
      desiredNumberScheduled: Count,
      currentNumberScheduled: Count,
      updatedNumberScheduled: Count,
      numberReady: Count,
      numberUnavailable: Count,
    }),
  ),
});

/** The part of a DaemonSet (apps/v1) that says whether its pods can be restarted now. */
export interface DaemonSet extends KubeObject {
  /** When its pods were made new last, as the annotation of its template has it. */
  readonly restartedAt: string | undefined;
  /** On how many nodes it is to run. */
  readonly desired: number;
  /** In how many pods it is ready. */
  readonly ready: number;
  /** Pods are being made new, or it is not known yet that they are to be. */
  readonly rollsOut: boolean;
  /** Each node that is to have a pod has one, of the present template, and it is ready. */
  readonly settled: boolean;
}

function project({ metadata, spec, status = {} }: Static<typeof Shape>): DaemonSet {
  const { desiredNumberScheduled: desired = 0, numberReady: ready = 0, currentNumberScheduled: current = 0 } = status;
  const { updatedNumberScheduled: updated = 0, numberUnavailable: unavailable = 0 } = status;
  // A status of an older generation says nothing of the pods of this one.
  const isObserved = (status.observedGeneration ?? Infinity) >= (metadata.generation ?? 0);
  const rollsOut = !isObserved || Math.min(current, updated) < desired;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metaOf(metadata),
    restartedAt: spec?.template?.metadata?.annotations?.[RESTARTED_AT],
    desired,
    ready,
    rollsOut,
    settled: !rollsOut && unavailable === 0 && ready >= desired,
  };
}

/** DaemonSets. */
export const daemonSetKind: Kind<DaemonSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
  decode: projecting('DaemonSet', Shape, project),
};
