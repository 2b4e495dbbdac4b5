import { cleanText, isFabricId, type CallContext, type LocateOutcome, type NodeFacts } from '@cro/cdi-core';
import type { System } from './redfish/wire.ts';
import { readSystems, type SystemRead } from './tree/systems.ts';
import { sameUuid } from './uuid.ts';
import type { World } from './world.ts';

/** Names a node's system where nothing else does. */
const ANNOTATION = 'cohdi.io/redfish-system';
/** How long the machines of nodes are remembered, in milliseconds. */
const KEPT_MS = 60_000;

/** Finds the systems of nodes (nec-and-sunfish.md, 2.6), and remembers them for a while. */
export class Locator {
  readonly #world: World;
  readonly #kept = new Map<string, { readonly machine: string; readonly atMs: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  async locate(node: NodeFacts, context: CallContext): Promise<LocateOutcome> {
    const named = node.annotations[ANNOTATION];
    if (named !== undefined) return byAnnotation(named);
    const key = JSON.stringify([node.name, node.systemUuid, node.providerId]);
    const kept = this.#kept.get(key);
    const now = this.#world.host.clock.monotonic();
    if (kept !== undefined && now - kept.atMs < KEPT_MS) return { tag: 'machine', machine: kept.machine };
    const layout = await this.#world.layouts.read(context);
    if (layout.tag === 'failed') return layout;
    const systems = await readSystems(this.#world.service, layout.value, context);
    if (systems.tag === 'failed') return systems;
    const outcome = among(node, systems.systems);
    if (outcome.tag === 'machine') this.#kept.set(key, { machine: outcome.machine, atMs: now });
    return outcome;
  }
}

function byAnnotation(machine: string): LocateOutcome {
  if (isFabricId(machine)) return { tag: 'machine', machine };
  const message = `annotation ${ANNOTATION}: found '${cleanText(machine)}', the Id of a ComputerSystem is accepted`;
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}

/** By the system UUID, else by the end of the providerID, else by the host name: the first of them that fits any system. */
function among(node: NodeFacts, systems: readonly SystemRead[]): LocateOutcome {
  const end = node.providerId?.split('/').at(-1) ?? '';
  const ways: readonly ((system: System, machine: string) => boolean)[] = [
    ({ UUID: uuid }) => uuid !== undefined && node.systemUuid !== undefined && sameUuid(uuid, node.systemUuid),
    (_, machine) => end !== '' && machine.toLowerCase() === end.toLowerCase(),
    ({ HostName: host }) => host === node.name,
  ];
  for (const fits of ways) {
    const found = systems.filter(({ machine, read }) => read.tag === 'ok' && fits(read.value, machine));
    const [only] = found;
    if (only !== undefined && found.length === 1) return { tag: 'machine', machine: only.machine };
    if (found.length > 1) return ambiguous(node, found);
  }
  const broken = systems.find(({ read }) => read.tag === 'failed');
  // It may be the one that cannot be read.
  if (broken?.read.tag === 'failed') return broken.read;
  const message = `no ComputerSystem has the system UUID, the providerID's end or the name of node ${node.name}: set annotation ${ANNOTATION}`;
  return { tag: 'unmapped', message };
}

function ambiguous(node: NodeFacts, found: readonly SystemRead[]): LocateOutcome {
  const names = found.map(({ machine }) => machine).join(', ');
  const message = `node ${node.name} fits more than one ComputerSystem (${cleanText(names)}): set annotation ${ANNOTATION}`;
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}
