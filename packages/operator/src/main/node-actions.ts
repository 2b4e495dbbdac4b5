import type { Settings } from '../process/index.ts';
import type { NodeActionsConfig } from '../wiring/node-actions.ts';

/** What the settings say that is done on nodes. */
export function nodeActionsOf({
  deviceResourceType,
  nodeActions,
  gpuOperatorNamespace,
  draDriverNamespace,
  publishWaitSeconds,
}: Settings): NodeActionsConfig {
  if (nodeActions === 'none') return { tag: 'none' };
  const publishWaitMs = publishWaitSeconds * 1000;
  switch (deviceResourceType) {
    case 'DRA':
      return { tag: 'nvidia', gpuOperatorNamespace, draDriverNamespace, publishWaitMs };
    case 'DEVICE_PLUGIN':
      return { tag: 'nvidiaDevicePlugin', gpuOperatorNamespace, publishWaitMs };
  }
}
