import type { KubeClient, Transport } from '@cro/kube-runtime';
import type { NodeSim } from '@cro/node-sim';
import type { ApiCounts } from './api-counts.ts';

/** What commands in the pods of simulated nodes need. */
export type NodeCommands = Pick<NodeSim, 'exec' | 'nodeOf'>;

/** Where the kubelet of a node listens, at 127.0.0.1. Undefined where commands reach nodes without one. */
export type KubeletPorts = (node: string) => number | undefined;

/** A control plane that a world stands on: a simulated one, or a real one. */
export interface Plane {
  /** The world's own way in. */
  readonly transport: Transport;
  readonly client: KubeClient;
  /** For kubectl and the operator. */
  readonly kubeconfigPath: string;
  /** What operators have asked for. */
  operatorCounts(): ApiCounts;
  /** Stores a request or a resource with its status. Answers the uid under which it is stored. */
  put(object: object): Promise<string>;
  /** Lets commands in pods reach these nodes. They are registered after that, as the answer belongs into what they say of themselves. */
  reachNodes(names: readonly string[], commands: NodeCommands): Promise<KubeletPorts>;
  close(): Promise<void>;
}

/** Starts a control plane that knows our kinds. What it writes goes into `directory`. */
export type StartPlane = (directory: string) => Promise<Plane>;

/** User agent of those who tell stories in a world. */
export const STORY_AGENT = 'cro-story';
