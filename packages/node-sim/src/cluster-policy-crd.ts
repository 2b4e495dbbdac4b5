/** The CRD of NVIDIA's GPU Operator (nvidia.com/v1 `ClusterPolicy`), for a cluster that is to have it; any spec passes. */
export const CLUSTER_POLICY_CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusterpolicies.nvidia.com' },
  spec: {
    group: 'nvidia.com',
    scope: 'Cluster',
    names: { kind: 'ClusterPolicy', plural: 'clusterpolicies', singular: 'clusterpolicy' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
