import { cleanText, isFabricId, type CallContext, type LocateOutcome, type NodeFacts } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { NecConfig } from './config.ts';
import type { Directory } from './directory.ts';

/** Names the CDIM node of a Kubernetes node. */
export const NODE_ANNOTATION = 'cohdi.io/cdim-node-id';

/** A machine belongs to the node that asked for it last, unless that was long ago: nodes are made anew. */
const CLAIM_MS = 600_000;

/** Finds machines, and sees to it that no two nodes share one. */
export class Locator {
  readonly #clock: Clock;
  readonly #directory: Directory;
  readonly #nodes: Readonly<Record<string, string>>;
  readonly #owners = new Map<string, { readonly node: string; readonly atMs: number }>();

  constructor(clock: Clock, directory: Directory, { nodes = {} }: NecConfig) {
    this.#clock = clock;
    this.#directory = directory;
    this.#nodes = nodes;
  }

  /**
   * By annotation, by the configuration, or by providerID: all of it, or what stands behind its last slash. CDIM's node id is
   * the deviceID of its CPU, and only such a one counts.
   */
  async locate(node: NodeFacts, context: CallContext): Promise<LocateOutcome> {
    const { wanted, from } = this.#wantedBy(node);
    if (wanted === '') {
      const message = `node ${node.name} has neither the annotation ${NODE_ANNOTATION} nor a providerID that names its CDIM node`;
      return { tag: 'unmapped', message };
    }
    if (!isFabricId(wanted)) {
      return { tag: 'unmapped', message: `${from} of node ${node.name} is no id of CDIM: '${cleanText(wanted)}'` };
    }
    const known = await this.#directory.know(wanted, context);
    if (known.tag === 'failed') return known;
    const machine = [...known.topology.machines].find((id) => id.toLowerCase() === wanted.toLowerCase());
    if (machine === undefined) {
      const message = `CDIM has no CPU with the id '${wanted}', which ${from} of node ${node.name} names`;
      return { tag: 'unmapped', message };
    }
    return this.#claim(machine, node.name);
  }

  #wantedBy({ name, annotations, providerId = '' }: NodeFacts): { readonly wanted: string; readonly from: string } {
    const annotated = annotations[NODE_ANNOTATION];
    if (annotated !== undefined) return { wanted: annotated, from: `the annotation ${NODE_ANNOTATION}` };
    const mapped = Object.hasOwn(this.#nodes, name) ? this.#nodes[name] : undefined;
    if (mapped !== undefined) return { wanted: mapped, from: "the provider's configuration" };
    return { wanted: providerId.slice(providerId.lastIndexOf('/') + 1), from: 'the providerID' };
  }

  #claim(machine: string, node: string): LocateOutcome {
    const now = this.#clock.monotonic();
    const owner = this.#owners.get(machine);
    if (owner !== undefined && owner.node !== node && now - owner.atMs < CLAIM_MS) {
      const message = `nodes ${owner.node} and ${node} both name the CDIM node '${machine}': correct one of them`;
      return { tag: 'failed', failure: { kind: 'Blocked', message } };
    }
    this.#owners.set(machine, { node, atMs: now });
    return { tag: 'machine', machine };
  }
}
