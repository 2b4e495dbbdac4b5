import type { ComposableResource } from '@cro/crd-types';
import { fieldIs, type Cache, type KubeClient } from '@cro/kube-runtime';
import { parseChunkId, type Free, type HeldChunk, type MemoryLedger, type Standing } from '@cro/node-device';
import { deviceOf } from '@cro/state-machines';
import type { NodeObject } from '../kinds/node-kind.ts';
import { podKind } from '../kinds/pod-kind.ts';
import { freeOf } from './capacity.ts';
import { parseQuantity } from './quantity.ts';

/** What the ledger of memory is read from. */
export interface NodeMemoryOptions {
  readonly client: KubeClient;
  readonly nodes: Cache<NodeObject>;
  /** Indexed by `node`. */
  readonly resources: Cache<ComposableResource>;
}

const MIB = 2 ** 20;

/** The memory of nodes, by what the cluster's objects say. */
export function nodeMemory({ client, nodes, resources }: NodeMemoryOptions): MemoryLedger {
  const chunksOn = (node: string) => resources.byIndex('node', node).flatMap(chunkOf);
  return {
    get synced() {
      return nodes.synced && resources.synced;
    },
    capacityMiB: (node) => {
      const bytes = parseQuantity(nodes.get(node)?.memory);
      return bytes > 0 ? Math.floor(bytes / MIB) : undefined;
    },
    chunksOn,
    freeMiB: (name) => freeMiB({ client, nodes }, name),
    onChange(listener) {
      const ends = [
        nodes.subscribe((event) => {
          const before = event.type === 'set' ? event.previous?.memory : undefined;
          const after = event.type === 'set' ? event.object.memory : undefined;
          if (before !== after) listener(event.object.metadata.name);
        }),
        // Whether a node shows one piece depends on which others there are.
        resources.subscribe((event) => {
          const before = event.type === 'set' ? event.previous : event.object;
          const after = event.type === 'set' ? event.object : undefined;
          if (standingIn(before) !== standingIn(after)) listener(event.object.spec.target_node);
        }),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

async function freeMiB({ client, nodes }: Pick<NodeMemoryOptions, 'client' | 'nodes'>, name: string): Promise<Free> {
  const listed = await client.list(podKind, { fieldSelector: fieldIs('spec.nodeName', name) });
  if (listed.tag !== 'listed') {
    const message = `the pods of node ${name} could not be listed to see whether they can do without the memory: ${listed.error.message}`;
    return { tag: 'failed', failure: { kind: 'Unreachable', message } };
  }
  const node = nodes.get(name);
  if (node === undefined) return { tag: 'failed', failure: { kind: 'Busy', message: `node ${name} is not there` } };
  return { tag: 'free', freeMiB: Math.floor(freeOf(node, listed.objects).memory / MIB) };
}

function chunkOf(resource: ComposableResource): readonly HeldChunk[] {
  const standing = standingOf(resource);
  const chunk = parseChunkId(resource.status?.device_id ?? '');
  return standing === undefined || chunk === undefined ? [] : [{ ...chunk, standing }];
}

function standingIn(resource: ComposableResource | undefined): string | undefined {
  return resource === undefined ? undefined : chunkOf(resource).map(({ id, standing }) => `${standing} ${id}`)[0];
}

/** How far the memory of a resource is; undefined: it has none on its node. */
function standingOf({ spec, status }: ComposableResource): Standing | undefined {
  if (spec.type !== 'cxlmemory' || deviceOf(status) === 'none') return undefined;
  if (deviceOf(status) === 'released') return 'released';
  if (status?.operation?.op === 'detach') return 'going';
  if (status?.state === 'Detaching') return 'leaving';
  return status?.state === 'Online' ? 'here' : 'arriving';
}
