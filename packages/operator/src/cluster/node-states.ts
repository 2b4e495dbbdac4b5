import type { NodeFacts } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { accessTo, type Access, type Cache, type KubeClient } from '@cro/kube-runtime';
import type { ResourceFacts } from '@cro/state-machines';
import { isDeepStrictEqual } from 'node:util';
import { nodeKind, type NodeObject } from '../kinds/node-kind.ts';

/** What the Nodes service needs. */
export interface NodeStatesOptions {
  readonly cache: Cache<NodeObject>;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Called when the answer of `of` for a node changes. */
  readonly changed: (node: string) => void;
}

/** What making sure of a node's end asks of the API server. */
export const confirmingNodes: Access = accessTo(nodeKind, ['get'], {
  without: 'nobody can be sure that a node is gone, and its devices stay with it',
  need: 'required',
});

const RETRY_MS = 5_000;

/**
 * Whether nodes are there. A node that the cache does not have is `gone` only after a live read said so: giving back a
 * device for a stale cache would pull it from under its workload.
 */
export class NodeStates {
  readonly #options: NodeStatesOptions;
  readonly #gone = new Set<string>();
  readonly #reading = new Set<string>();

  constructor(options: NodeStatesOptions) {
    this.#options = options;
    options.cache.subscribe((event) => {
      const { name } = event.object.metadata;
      if (event.type === 'set') {
        this.#gone.delete(name);
        if (event.previous !== undefined && sameForUs(event.previous, event.object)) return;
      }
      options.changed(name);
    });
  }

  /** What is known of a node at this moment. */
  of(name: string): ResourceFacts['node'] {
    const node = this.#options.cache.get(name);
    if (node !== undefined) return node.ready ? 'ready' : 'notReady';
    if (this.#gone.has(name)) return 'gone';
    if (this.#options.cache.synced && !this.#reading.has(name)) void this.#confirm(name);
    return 'unknown';
  }

  /** What a provider is told of a node; `undefined` when there is none in the cache. */
  facts(name: string): NodeFacts | undefined {
    const node = this.#options.cache.get(name);
    return node === undefined ? undefined : nodeFacts(node);
  }

  async #confirm(name: string): Promise<void> {
    const { client, clock, changed } = this.#options;
    this.#reading.add(name);
    const outcome = await client.get(nodeKind, { name });
    this.#reading.delete(name);
    if (outcome.tag === 'notFound') {
      this.#gone.add(name);
      changed(name);
    } else if (outcome.tag === 'failed') {
      clock.after(RETRY_MS, () => {
        changed(name);
      });
    }
  }
}

/** What a provider is told of a Node. */
export function nodeFacts(node: NodeObject): NodeFacts {
  return {
    name: node.metadata.name,
    annotations: node.annotations,
    ...(node.providerId !== undefined && { providerId: node.providerId }),
    ...(node.systemUuid !== undefined && { systemUuid: node.systemUuid }),
  };
}

/** A Node is written every few minutes by its kubelet; most of that changes nothing here. */
function sameForUs(left: NodeObject, right: NodeObject): boolean {
  return isDeepStrictEqual({ ...left, metadata: undefined }, { ...right, metadata: undefined });
}
