import type { KubeClient, Transport } from '@cro/kube-runtime';
import type { ExecScript } from '@cro/node-sim';
import type { ApiCounts } from './api-counts.ts';

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
  /** Lets commands in pods be run by `script`. A plane without this has kubelets for it, or runs none. */
  runCommands?(script: ExecScript): void;
  close(): Promise<void>;
}

/** Starts a control plane that knows our kinds. What it writes goes into `directory`. */
export type StartPlane = (directory: string) => Promise<Plane>;

/** User agent of those who tell stories in a world. */
export const STORY_AGENT = 'cro-story';
