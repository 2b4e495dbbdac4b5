import type { NodeSim } from './node-sim-options.ts';

/**
 * Hands on a fabric whose pool is whole only if, besides, nothing was done to the nodes' hardware that must not be done: what asserts the one
 * asserts the other.
 */
export function orderly<Fabric extends { assertPoolWhole(): void }>(
  fabric: Fabric,
  nodes: Pick<NodeSim, 'assertNoFaults'>,
): Fabric {
  return {
    ...fabric,
    assertPoolWhole() {
      fabric.assertPoolWhole();
      nodes.assertNoFaults();
    },
  };
}
