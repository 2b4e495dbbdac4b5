import { cleanText, type AttachRequest, type CallContext } from '@cro/cdi-core';
import { NODE } from '../kinds.ts';
import { freeTargets, type EndpointRead } from '../tree/fabrics.ts';
import { readDomains, roundedMiB, type DomainRead } from '../tree/memory.ts';
import { ownName } from '../tree/named.ts';
import type { Layout } from '../tree/root.ts';
import { systemUri } from '../tree/systems.ts';
import type { World } from '../world.ts';
import type { Choice } from './choose-block.ts';
import { connectionNotes, notOnFabric, reachedFabrics, type Reached } from './choose-endpoint.ts';

/** Chooses where a piece of CXL memory is to be cut from, and the endpoint that it is to be reached through. */
export async function chooseMemory(
  world: World,
  layout: Layout,
  request: AttachRequest,
  context: CallContext,
): Promise<Choice> {
  const model = world.config.memoryModels[request.model];
  if (model === undefined) return unknownModel(world, request.model);
  const [fabrics, domains] = await Promise.all([
    world.fabrics.readAll(layout, context),
    readDomains(world.service, layout, context),
  ]);
  if (fabrics.tag === 'failed') return fabrics;
  if (domains.tag === 'failed') return domains;
  const reached = reachedFabrics(fabrics.fabrics, systemUri(layout, request.machine));
  if (reached.length === 0) return notOnFabric(request.machine, fabrics.fabrics);
  const place = pickPlace(world, request, reached, domains.domains, model.sizeMiB);
  if (place === undefined) {
    const message = `no CXL memory of model '${request.model}' (${model.sizeMiB} MiB) is free for machine '${request.machine}'`;
    return { tag: 'failed', failure: { kind: 'Exhausted', message } };
  }
  const name = ownName(world.host.newId());
  const memory = { chunks: place.domain.chunksUri, sizeMiB: place.sizeMiB };
  const notes = { ...connectionNotes(world, place.reached, place.endpoint, name), memory };
  const hints = hintsOf(world, request.machine, place);
  return { tag: 'chosen', subject: { cdiDeviceId: name, hints, notes } };
}

function unknownModel({ config }: World, model: string): Choice {
  const known = Object.keys(config.memoryModels);
  const others = known.length === 0 ? 'the configuration has no memoryModels' : `there are: ${known.join(', ')}`;
  const message = `model '${cleanText(model)}' of type cxlmemory is not in the configuration: ${others}`;
  return { tag: 'failed', failure: { kind: 'Rejected', message } };
}

interface Place {
  readonly reached: Reached;
  readonly domain: DomainRead;
  readonly endpoint: EndpointRead;
  readonly sizeMiB: number;
}

/** The first domain with enough left that a free endpoint leads to; both are reserved until the ticket is saved. */
function pickPlace(
  { reservations }: World,
  { holder }: AttachRequest,
  reached: readonly Reached[],
  domains: readonly DomainRead[],
  wishMiB: number,
): Place | undefined {
  for (const one of reached) {
    for (const domain of domains) {
      const sizeMiB = roundedMiB(domain, wishMiB);
      if (domain.leftMiB !== undefined && domain.leftMiB < sizeMiB) continue;
      const free = freeTargets(one.fabric).filter(({ uri }) => !reservations.isChosen(uri, holder));
      const endpoint = domain.devices.flatMap((device) => free.filter(({ entity }) => entity === device)).at(0);
      if (endpoint === undefined) continue;
      reservations.choose(holder, endpoint.uri);
      return { reached: one, domain, endpoint, sizeMiB };
    }
  }
  return undefined;
}

/** What shows on the node that the memory has come: more memory than before, or the CXL id of the logical device. */
function hintsOf({ host, nodes }: World, machine: string, { endpoint, sizeMiB }: Place) {
  const node = nodes.get(machine);
  const status: unknown = node === undefined ? undefined : host.get(NODE, node)?.status;
  const before = memoryIn(status);
  return {
    memoryMiB: String(sizeMiB),
    ...(before === undefined ? {} : { memoryBefore: before }),
    ...(endpoint.durableName === undefined ? {} : { gcxlId: cleanText(endpoint.durableName, 128) }),
  };
}

/** `status.capacity.memory` of a Node, as it stands there. */
function memoryIn(status: unknown): string | undefined {
  const capacity: unknown = typeof status === 'object' && status !== null ? Reflect.get(status, 'capacity') : undefined;
  const memory: unknown =
    typeof capacity === 'object' && capacity !== null ? Reflect.get(capacity, 'memory') : undefined;
  return typeof memory === 'string' ? memory : undefined;
}
