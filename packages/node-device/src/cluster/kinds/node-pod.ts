import type { Clock } from '@cro/clock';
import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { Meta, metaOf, projecting } from './meta.ts';

const Shape = Type.Object({
  metadata: Meta,
  spec: Type.Optional(
    Type.Object({
      nodeName: Type.Optional(Type.String()),
      containers: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
    }),
  ),
  status: Type.Optional(
    Type.Object({
      phase: Type.Optional(Type.String()),
      conditions: Type.Optional(Type.Array(Type.Object({ type: Type.String(), status: Type.String() }))),
    }),
  ),
});

/** The part of a Pod (core/v1) that says whether it works for its node. */
export interface NodePod extends KubeObject {
  /** Empty until it is bound to a node. */
  readonly nodeName: string;
  /** `status.phase`. */
  readonly phase: string;
  /** Its condition Ready is True. */
  readonly ready: boolean;
  /** Name of its first container. */
  readonly container: string;
}

function project({ metadata, spec, status }: Static<typeof Shape>): NodePod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(metadata),
    nodeName: spec?.nodeName ?? '',
    phase: status?.phase ?? '',
    ready: status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false,
    container: spec?.containers?.[0]?.name ?? '',
  };
}

/** Pods that work for their node: drivers, agents, plugins. */
export const nodePodKind: Kind<NodePod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  decode: projecting('Pod', Shape, project),
};

/** Name of the index by node. */
export const POD_NODE_INDEX = 'node';

/** What to give as `indexes` to a watch of such pods. */
export const nodePodIndexes = { [POD_NODE_INDEX]: ({ nodeName }: NodePod) => (nodeName === '' ? [] : [nodeName]) };

/** Whether somebody deleted it, and it lives on until its containers have ended. */
export function isLeaving({ metadata }: NodePod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** For how many milliseconds it has been there, by the clocks of the API server and of this process. Endless where that is not said. */
export function ageMs({ metadata }: NodePod, clock: Clock): number {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? Infinity : clock.now() - created;
}

/** `namespace/name`, for a person. */
export function podWords({ metadata: { namespace = '', name } }: NodePod): string {
  return `${namespace}/${name}`;
}
