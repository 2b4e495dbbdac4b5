export { loadCluster, type Cluster, type LoadClusterOptions, type LoadedCluster } from './kubeconfig/load.ts';
