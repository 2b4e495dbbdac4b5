import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type } from 'typebox';
import { Meta, metaOf, projecting } from './meta.ts';

const Shape = Type.Object({
  metadata: Meta,
  spec: Type.Optional(Type.Object({ driver: Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) })) })),
});

/** The part of the GPU Operator's ClusterPolicy (nvidia.com/v1) that says who installs the driver. */
export interface ClusterPolicy extends KubeObject {
  /** `spec.driver.enabled`, true where it is left out: drivers run in containers. */
  readonly driverEnabled: boolean;
}

/** ClusterPolicies. */
export const clusterPolicyKind: Kind<ClusterPolicy> = {
  group: 'nvidia.com',
  version: 'v1',
  kind: 'ClusterPolicy',
  plural: 'clusterpolicies',
  namespaced: false,
  decode: projecting('ClusterPolicy', Shape, ({ metadata, spec }) => ({
    apiVersion: 'nvidia.com/v1',
    kind: 'ClusterPolicy',
    metadata: metaOf(metadata),
    driverEnabled: spec?.driver?.enabled ?? true,
  })),
};
