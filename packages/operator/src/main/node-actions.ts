import type { Settings } from '../process/index.ts';
import type { NodeActionsConfig } from '../wiring/node-actions.ts';

/** What the settings say that is done on nodes. */
export function nodeActionsOf({
  nodeActions,
  gpuOperatorNamespace,
  draDriverNamespace,
  publishWaitSeconds,
}: Settings): NodeActionsConfig {
  if (nodeActions === 'none') return { tag: 'none' };
  return { tag: 'nvidia', gpuOperatorNamespace, draDriverNamespace, publishWaitMs: publishWaitSeconds * 1000 };
}
