import type { NodeCluster } from '../node-cluster.ts';
import type { Visibility } from '../visibility.ts';
import type { NodeLooks } from './node-looks.ts';
import { GpuUuid } from './patterns.ts';

/**
 * Visibility where a device plugin offers devices, and no object of the cluster names them: a device is visible when it was there
 * as the node was last refreshed, and the plugin was made to look again. Before this process has refreshed a node that is
 * unknown. Nothing looks by itself: who waits for a device refreshes its node again.
 */
export function commandVisibility({
  looks,
  cluster,
}: {
  readonly looks: NodeLooks;
  readonly cluster: Pick<NodeCluster, 'driverOf'>;
}): Visibility {
  return {
    of(node, deviceId) {
      const published = looks.publishedOn(node);
      if (published === undefined) return cluster.driverOf(node).tag === 'noDriver' ? 'absent' : 'unknown';
      return published.has(GpuUuid.of(deviceId)?.toString() ?? deviceId) ? 'visible' : 'absent';
    },
    onChange: (listener) => looks.onPublished(listener),
  };
}
