export { nvidiaDevicePluginAccess, nvidiaDraAccess } from './cluster/access.ts';
export { claimsOn, type ClaimSources } from './cluster/claim-users.ts';
export { devicePluginNodeCluster, type DevicePluginNodeClusterOptions } from './cluster/device-plugin-node-cluster.ts';
export { draNodeCluster, type DraNodeClusterOptions } from './cluster/dra-node-cluster.ts';
export { DEVICE_PLUGIN, type DaemonCaches } from './cluster/daemon-set-names.ts';
export { PLUGIN_TOLD_MS } from './cluster/plugin-pods.ts';
export type { PodEnds } from './cluster/pod-ends.ts';
export type { GpuSupply } from './cluster/pod-users.ts';
export { isLabelledWithGpus } from './cluster/gpu-labels.ts';
export {
  watchDevicePlugin,
  watchDra,
  watchDrivers,
  type DevicePluginWatches,
  type DraWatches,
  type DriverNamespaces,
  type DriverWatches,
  type NodeNamespaces,
} from './cluster/watches.ts';
export type { WatchBase } from './cluster/watch-base.ts';
export { abandonedRulesAccess, removeAbandonedRules, type AbandonedRulesOptions } from './fence/abandoned-rules.ts';
export { DeviceTaintFence, fencingAccess, type DeviceTaintFenceOptions } from './fence/device-taint-fence.ts';
export { noFence, type Fence, type FenceOutcome, type FenceRequest, type UnfenceOutcome } from './fence/fence.ts';
export {
  RuleAccess,
  type Access,
  type AccessLog,
  type RuleAccessOptions,
  type Unavailable,
} from './fence/rule-access.ts';
export { taintRuleName } from './fence/new-rule.ts';
export { DEVICE_TAINT_KEY, taintRuleKind, type TaintRule } from './fence/taint-rule.ts';
export * from './identity.ts';
export * from './memory/index.ts';
export * from './no-node-actions.ts';
export * from './node-actions.ts';
export * from './node-cluster.ts';
export * from './node-side.ts';
export * from './outcomes.ts';
export * from './resource-slice.ts';
export * from './slice-identity.ts';
export * from './slice-index.ts';
export * from './slice-kind.ts';
export * from './slice-visibility.ts';
export * from './visibility.ts';
export { commandIdentity } from './nvidia/command-identity.ts';
export { commandVisibility } from './nvidia/command-visibility.ts';
export { NodeLooks } from './nvidia/node-looks.ts';
export { nvidiaActions, type NvidiaActionsOptions } from './nvidia/nvidia-actions.ts';
