import type { Clock } from '@cro/clock';
import { DRA_PLUGIN, NODE_AGENT, type Equipment } from '@cro/node-sim';
import type { FabricName, MakeFabric } from './fabrics.ts';

/** The world that is brought up. Everything has a default but the clock and the random source. */
export interface WorldOptions {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Which fabric it is, or how one of your own is made. Default `fm`. */
  readonly fabric?: FabricName | MakeFabric;
  /** Nodes `worker-0`, `worker-1`, ..., each on a machine of its own. Default 3. */
  readonly nodes?: number;
  /** Free devices in the pool. Default 8. */
  readonly devices?: number;
  /** Their model. Default `NVIDIA-A100-PCIE-80GB`. */
  readonly model?: string;
  /** How long the fabric works on an attach, in milliseconds. Default 0. */
  readonly attachMs?: number;
  /** How long it works on a detach. Default 0. */
  readonly detachMs?: number;
  /** How long a node's driver takes to publish or withdraw a device. Default 0. */
  readonly publishDelayMs?: number;
  /**
   * What the nodes have beside their GPUs; with pods, commands reach them, and the operator does what a node needs when
   * a device comes or goes. Where it is given, `fabric.assertPoolWhole`
   * throws too when a GPU was pulled that its node had not let go. Default: nothing.
   */
  readonly equipment?: Equipment;
  /** Serve the admission webhook, and have the API server ask it. Default true. */
  readonly webhook?: boolean;
  /** Environment variables of the operator beyond those that the world needs. */
  readonly operatorEnv?: Readonly<Record<string, string>>;
  /** An operator that takes longer to stop is killed, and the stop fails. Default 15 s. */
  readonly stopWithinMs?: number;
  /** Its abort ends every wait in the world, as trouble does. */
  readonly interrupted?: AbortSignal;
  /** What Node is started with to run the operator. Default: the built `apps/operator/dist/main.js` of this repository. */
  readonly operatorCommand?: readonly string[];
}

/** Nodes with NVIDIA's driver on the host, the agent through which it is reached, and the DRA driver's kubelet plugin. */
export const GPU_NODES: Equipment = { pods: [NODE_AGENT], daemonSets: [DRA_PLUGIN] };
/** The model of the devices unless another is given. */
export const DEFAULT_MODEL = 'NVIDIA-A100-PCIE-80GB';
/** The operator's namespace. */
export const NAMESPACE = 'composable-resource-operator-system';
/** Name of the operator's lease, as in the Go operator. */
export const LEASE = 'c5744f42.hpsys.ibm.ie.com';
/** Name of the webhook's configuration. */
export const WEBHOOK_CONFIGURATION = 'composable-resource-operator-validating-webhook-configuration';
/** The fabric's tenant. */
export const TENANT = '00000000-3000-4000-8000-000000000000';
