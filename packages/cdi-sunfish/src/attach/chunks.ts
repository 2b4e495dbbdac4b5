import type { CallContext, OperationTarget, Submitted } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { isUri } from '../redfish/uri.ts';
import { decode } from '../redfish/wire.ts';
import { findNamed } from '../tree/named.ts';
import type { World } from '../world.ts';
import { chunkPlace, type ByConnection } from './notes.ts';

type Memory = NonNullable<ByConnection['memory']>;

/** A chunk that is there, or how its making stands. */
export type ChunkOutcome =
  { readonly tag: 'ready'; readonly uri: string } | Exclude<Submitted, { readonly tag: 'done' }>;

/** Cuts the chunk of an operation, unless it is there already. */
export async function ensureChunk(
  world: World,
  target: OperationTarget<ByConnection>,
  { chunks, sizeMiB }: Memory,
  context: CallContext,
): Promise<ChunkOutcome> {
  const { name, isSunfish } = target.notes;
  const domain = await world.service.get(chunks.slice(0, chunks.lastIndexOf('/')), decode.memoryDomain, context);
  if (domain.tag !== 'ok') return { tag: 'refused', failure: domain.failure };
  const body = {
    '@odata.type': '#MemoryChunks.v1_6_0.MemoryChunks',
    ...(isSunfish ? { '@odata.id': `${chunks}/${name}` } : {}),
    Id: name,
    Name: name,
    AddressRangeType: 'Volatile',
    MemoryChunkSizeMiB: sizeMiB,
  };
  const changed = await world.service.change({ method: 'POST', uri: chunks, body }, context);
  switch (changed.tag) {
    case 'done':
      return { tag: 'ready', uri: changed.location ?? `${chunks}/${name}` };
    case 'accepted':
      return changed;
    case 'unclear':
      return { tag: 'inDoubt', failure: changed.failure };
    case 'gone':
      return { tag: 'refused', failure: changed.failure };
    case 'refused': {
      if (changed.status !== 409) return { tag: 'refused', failure: changed.failure };
      const found = await findNamed(world.service, chunkPlace(target.notes, chunks), decode.chunk, context);
      if (found.tag === 'ok') return { tag: 'ready', uri: found.value.uri };
      return { tag: found.tag === 'failed' ? 'inDoubt' : 'refused', failure: changed.failure };
    }
    default:
      return changed satisfies never;
  }
}

/** Gives a chunk back. One that is gone is a success. */
export async function dropChunk(
  world: World,
  uri: string,
  context: CallContext,
): Promise<{ readonly tag: 'done' } | { readonly tag: 'failed'; readonly failure: Failure }> {
  if (!isUri(uri)) return { tag: 'done' };
  const changed = await world.service.change({ method: 'DELETE', uri }, context);
  switch (changed.tag) {
    case 'done':
    case 'gone':
      return { tag: 'done' };
    case 'accepted': {
      const message = `${uri}: the service is still giving the memory chunk back`;
      return { tag: 'failed', failure: { kind: 'InDoubt', message } };
    }
    case 'refused':
    case 'unclear': {
      const read = await world.service.get(uri, decode.chunk, context);
      return read.tag === 'absent' ? { tag: 'done' } : { tag: 'failed', failure: changed.failure };
    }
    default:
      return changed satisfies never;
  }
}
