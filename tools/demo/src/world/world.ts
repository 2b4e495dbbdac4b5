import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import type { Hands } from '@cro/fabric-sim';
import type { Cache, KubeClient } from '@cro/kube-runtime';
import type { KubeSim } from '@cro/kube-sim';
import type { NodeSim } from '@cro/node-sim';
import type { ApiCounts } from './api-counts.ts';
import type { Interval } from './intervals.ts';
import type { OperatorProcess } from './operator-process.ts';
import type { OperatorStart } from './operators.ts';

/** A control plane, a fabric and nodes, all on this machine, and operators on request. */
export interface World {
  readonly fabric: Hands;
  /** Method of the request that asks the fabric for an attach. */
  readonly attachMethod: string;
  /** What a request calls a piece of the fabric's CXL memory; undefined: it has none. */
  readonly memoryModel: string | undefined;
  readonly nodes: NodeSim;
  /** The story's own client; its requests are not counted as the operator's. */
  readonly client: KubeClient;
  readonly requests: Cache<ComposabilityRequest>;
  readonly resources: Cache<ComposableResource>;
  /** The UUID of the fabric's machine under each node. */
  readonly machines: ReadonlyMap<string, string>;
  /** For kubectl: `KUBECONFIG=<this>`. */
  readonly kubeconfigPath: string;
  /** What all operators have logged. */
  readonly logPath: string;
  /** Aborts when an operator ends without having been asked to, its last words being the reason, or when the world is interrupted. */
  readonly trouble: AbortSignal;
  /** Starts an operator in a process of its own. */
  startOperator(options?: OperatorStart): OperatorProcess;
  /** Waits until the operator that was started last leads and has read everything, and the API server trusts its webhook. */
  untilOperatorLeads(withinMs: number): Promise<void>;
  /** Waits until nobody holds the lease. */
  untilNobodyLeads(withinMs: number): Promise<void>;
  /** Whether the API server refuses changes (`Fail`) or lets them pass (`Ignore`) while no operator serves the webhook. */
  whileWebhookIsDown(policy: 'Fail' | 'Ignore'): Promise<void>;
  /** Stores a request or a resource with its status. Answers the uid under which it is stored. */
  put(object: object): Promise<string>;
  /** Resolves when the next request with this method arrives at the fabric, before it does anything. */
  nextFabricCall(method: string, withinMs: number): Promise<void>;
  /** How long the fabric was at work on at least one change within that time, in milliseconds on the monotonic clock. */
  fabricMs(within: Interval): number;
  /** What operators have asked of the API server. */
  operatorCounts(): ApiCounts;
  /** Stops everything and removes the world's folder, unless it is to be kept. Rejects when an operator did not stop. */
  close(options?: { readonly keep?: boolean }): Promise<void>;
}

/** A world on a simulated control plane. */
export interface SimWorld extends World {
  readonly kube: KubeSim;
}
