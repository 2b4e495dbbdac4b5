import type { NodeCluster } from '../node-cluster.ts';
import { claimsOn, type ClaimSources } from './claim-users.ts';
import { driverOf, type DriverSources } from './driver-lookup.ts';
import { slicePublisher, type SlicePublisherOptions } from './slice-publisher.ts';

/** What is read and asked of the cluster where devices are scheduled by ResourceSlices (DRA). */
export type DraNodeClusterOptions = DriverSources & ClaimSources & SlicePublisherOptions;

/** The cluster's side of the nodes, with DRA. */
export function draNodeCluster(options: DraNodeClusterOptions): NodeCluster {
  return {
    driverOf: (node) => driverOf(node, options),
    usersOf: (device) => Promise.resolve(claimsOn(device, options)),
    allocatedTo: (device) => claimsOn(device, options),
    // A claim names its device: what becomes of others is nothing to it.
    looked: (_device, outcome) => outcome,
    restartPublisher: slicePublisher(options),
  };
}
