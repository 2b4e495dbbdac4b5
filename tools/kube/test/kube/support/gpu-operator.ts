/** The kinds that NVIDIA's GPU Operator brings, as far as they matter here. */
export const GPU_OPERATOR_CRD = {
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
