import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { schemaDecoder } from './schema-decoder.ts';

const Container = Type.Object({
  restartPolicy: Type.Optional(Type.String()),
  resources: Type.Optional(Type.Object({ requests: Type.Optional(Type.Record(Type.String(), Type.String())) })),
});

const PodShape = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.Optional(Type.String()),
    uid: Type.String(),
    resourceVersion: Type.String(),
  }),
  spec: Type.Optional(
    Type.Object({
      nodeName: Type.Optional(Type.String()),
      containers: Type.Optional(Type.Array(Container)),
      initContainers: Type.Optional(Type.Array(Container)),
      overhead: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
  status: Type.Optional(Type.Object({ phase: Type.Optional(Type.String()) })),
});

/** Quantities as Kubernetes writes them: `500m`, `16Gi`. */
export type Quantities = Readonly<Record<string, string>>;

/** The part of a Pod (core/v1) that says what it takes from its node. */
export interface PodObject extends KubeObject {
  readonly nodeName: string | undefined;
  /** Succeeded or Failed: it takes nothing any more. */
  readonly finished: boolean;
  /** Requests of the containers that run side by side, sidecars and overhead included. */
  readonly running: readonly Quantities[];
  /** Requests of the containers that run one after the other before them. */
  readonly starting: readonly Quantities[];
}

function project({ metadata, spec, status }: Static<typeof PodShape>): PodObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  const init = spec?.initContainers ?? [];
  const sidecars = init.filter((one) => one.restartPolicy === 'Always');
  const requests = (one: Static<typeof Container>): Quantities => one.resources?.requests ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) },
    nodeName: spec?.nodeName,
    finished: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    running: [...(spec?.containers ?? []), ...sidecars].map(requests).concat(spec?.overhead ?? []),
    starting: init.filter((one) => one.restartPolicy !== 'Always').map(requests),
  };
}

/** Pods, projected to what they request. */
export const podKind: Kind<PodObject> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  decode: schemaDecoder('Pod', PodShape, project),
};
