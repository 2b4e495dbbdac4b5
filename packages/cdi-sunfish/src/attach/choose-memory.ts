import { cleanText, type AttachRequest, type CallContext } from '@cro/cdi-core';
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
  const reached = reachedFabrics(fabrics.items, systemUri(layout, request.machine));
  if (reached.length === 0) return notOnFabric(request.machine, fabrics.items);
  const name = ownName(world.host.newId());
  const place = pickPlace(world, request, reached, domains.domains, { name, sizeMiB: model.sizeMiB });
  if (place === undefined) {
    const message = `no CXL memory of model '${request.model}' (${model.sizeMiB} MiB) is free for machine '${request.machine}'`;
    return { tag: 'failed', failure: { kind: 'Exhausted', message } };
  }
  const memory = { chunks: place.domain.chunksUri, sizeMiB: place.sizeMiB };
  const notes = { ...connectionNotes(world, place.reached, place.endpoint, name), memory };
  return { tag: 'chosen', subject: { cdiDeviceId: name, hints: hintsOf(place), claims: place.claims, notes } };
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
  readonly claims: readonly string[];
}

/**
 * The first domain with enough left that a free endpoint leads to. Both are claimed until the service shows them in use: it may not
 * check by itself whether an endpoint is free or a chunk fits. Nothing may be awaited between look and claim.
 */
function pickPlace(
  { reservations }: World,
  request: AttachRequest,
  reached: readonly Reached[],
  domains: readonly DomainRead[],
  wish: { readonly name: string; readonly sizeMiB: number },
): Place | undefined {
  const taken = reservations.takenFrom(request);
  for (const one of reached) {
    for (const domain of domains) {
      const sizeMiB = roundedMiB(domain, wish.sizeMiB);
      if (domain.leftMiB !== undefined && domain.leftMiB - claimedMiB(domain, taken) < sizeMiB) continue;
      const free = freeTargets(one.fabric).filter(({ uri }) => !taken.has(uri));
      const endpoint = domain.devices.flatMap((device) => free.filter(({ entity }) => entity === device)).at(0);
      if (endpoint === undefined) continue;
      const claims = [endpoint.uri, claimOf(domain, wish.name, sizeMiB)];
      reservations.choose(request.holder, ...claims);
      return { reached: one, domain, endpoint, sizeMiB, claims };
    }
  }
  return undefined;
}

/** A chunk that is to be cut: where it will be, and how large it is. */
function claimOf({ chunksUri }: DomainRead, name: string, sizeMiB: number): string {
  return `${chunksUri}/${name}=${sizeMiB}`;
}

/** MiB of a domain that are claimed and not cut yet. */
function claimedMiB({ chunksUri, chunks }: DomainRead, taken: ReadonlySet<string>): number {
  const own = `${chunksUri}/`;
  const claims = [...taken].filter((claim) => claim.startsWith(own)).map((claim) => claim.slice(own.length).split('='));
  const open = claims.filter(([name = '']) => !chunks.has(name));
  return open.reduce((sum, [, size]) => sum + (Number(size) || 0), 0);
}

/** What shows on the node that the memory has come: how much it is, and the CXL id of the logical device. */
function hintsOf({ endpoint, sizeMiB }: Place) {
  return {
    memoryMiB: String(sizeMiB),
    ...(endpoint.durableName === undefined ? {} : { gcxlId: cleanText(endpoint.durableName, 128) }),
  };
}
