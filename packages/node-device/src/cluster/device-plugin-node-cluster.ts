import type { NodeCluster } from '../node-cluster.ts';
import { driverOf, type DriverSources } from './driver-lookup.ts';
import { pluginPublisher, type PluginPublisherOptions } from './plugin-publisher.ts';
import { PluginPods } from './plugin-pods.ts';
import { PodUsers, type PodUserSources } from './pod-users.ts';

/** What is read and asked of the cluster where a device plugin offers devices. */
export type DevicePluginNodeClusterOptions = DriverSources & PodUserSources & PluginPublisherOptions;

/** The cluster's side of the nodes, with a device plugin. */
export function devicePluginNodeCluster(options: DevicePluginNodeClusterOptions): NodeCluster {
  const plugins = new PluginPods(options);
  const users = new PodUsers(options, plugins);
  return {
    driverOf: (node) => driverOf(node, options),
    usersOf: (device) => users.of(device),
    // Nothing keeps new pods from it either: whoever gets it until it is gone is found by the files that he has open, if at all.
    allocatedTo: () => ({ tag: 'idle' }),
    looked: (device, outcome, shows) => users.looked(device, outcome, shows),
    restartPublisher: pluginPublisher(options, plugins),
    forgetResource: (name) => {
      plugins.forget(name);
      users.forget(name);
    },
  };
}
