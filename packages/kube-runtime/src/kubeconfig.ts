export { execInPod, type ExecOutcome, type ExecRequest } from './kubeconfig/exec.ts';
export { loadCluster, type Cluster, type LoadClusterOptions, type LoadedCluster } from './kubeconfig/load.ts';
