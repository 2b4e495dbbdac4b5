import type { Reply, SimRequest } from '../core/http.ts';
import { parseJson } from '../core/decode.ts';
import { at } from './change-blocks.ts';
import { missing, redfishError } from './errors.ts';
import type { Chunk } from './memory.ts';
import type { RedfishState } from './state.ts';
import { DOMAINS } from './uris.ts';

/** What a POST of a memory chunk asks for. `id` is for one that names none. Undefined: it cannot be understood. */
export function readChunk(domain: string, request: SimRequest, id: string): Chunk | undefined {
  const parsed = parseJson(request.body ?? '');
  if (parsed.tag === 'failed' || typeof parsed.value !== 'object' || parsed.value === null) return undefined;
  const body = parsed.value;
  const sizeMiB = at(body, 'MemoryChunkSizeMiB');
  const named = at(body, 'Id');
  if (typeof sizeMiB !== 'number') return undefined;
  const own = typeof named === 'string' ? named : id;
  return { domain, id: own, sizeMiB, body: { ...body, Id: own } };
}

/** POST of a memory chunk. */
export function postChunk({ memory }: RedfishState, domain: string, request: SimRequest, id: string): Reply {
  if (memory.domain(domain) === undefined) return missing(`${DOMAINS}/${domain}`);
  const chunk = readChunk(domain, request, id);
  if (chunk === undefined)
    return redfishError(400, 'Base.1.18.PropertyMissing', 'MemoryChunkSizeMiB must be a number.');
  const uri = `${DOMAINS}/${domain}/MemoryChunks/${chunk.id}`;
  const cut = memory.cut(chunk);
  switch (cut) {
    case 'made':
      return { tag: 'json', status: 201, body: { ...chunk.body, '@odata.id': uri }, headers: { location: uri } };
    case 'exists':
      return redfishError(
        409,
        'Base.1.18.ResourceAlreadyExists',
        `A MemoryChunks with the Id '${chunk.id}' exists already.`,
      );
    case 'badSize':
      return redfishError(
        400,
        'Base.1.18.PropertyValueOutOfRange',
        'MemoryChunkSizeMiB is not one that the domain allows.',
      );
    case 'tooLarge':
      return redfishError(503, 'Base.1.18.InsufficientResources', 'The memory domain has not that much memory left.');
    default:
      return cut satisfies never;
  }
}

/** DELETE of a memory chunk. One that a connection uses stays. */
export function deleteChunk({ memory, connections }: RedfishState, domain: string, id: string): Reply {
  const uri = `${DOMAINS}/${domain}/MemoryChunks/${id}`;
  if (connections.all().some(({ chunks }) => chunks.includes(uri))) {
    return redfishError(409, 'Base.1.18.ResourceInUse', 'The memory chunk is in use by a connection.');
  }
  return memory.free(domain, id) ? { tag: 'empty', status: 204 } : missing(uri);
}
