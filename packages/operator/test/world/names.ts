/** Namespace of the operator in tests. */
export const NAMESPACE = 'composable-resource-operator-system';
/** Model of the GPUs in the simulated pool. */
export const A100 = 'NVIDIA-A100-PCIE-80GB';
/** Another model. */
export const H100 = 'NVIDIA-H100-PCIE-80GB';
/** The tenant of the simulated fabric. */
export const TENANT = '11111111-2222-4333-8444-555555555555';
/** What the operator calls itself at the API server. */
export const USER_AGENT = 'composable-resource-operator';
