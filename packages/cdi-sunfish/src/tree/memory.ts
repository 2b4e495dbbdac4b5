import type { CallContext } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { RedfishService } from '../redfish/service.ts';
import { belowParent } from '../redfish/uri.ts';
import { decode, type MemoryDomain } from '../redfish/wire.ts';
import { readMembers } from './members.ts';
import { ownNameOf } from './named.ts';
import type { Layout } from './root.ts';

/** A domain that chunks may be cut from. */
export interface DomainRead {
  readonly uri: string;
  readonly chunksUri: string;
  /** MiB that no chunk has; undefined where the service does not say how large the domain is. */
  readonly leftMiB: number | undefined;
  /** Names of the chunks that are cut from it, where they are ours. */
  readonly chunks: ReadonlySet<string>;
  readonly minMiB: number;
  readonly incrementMiB: number;
  /** URIs of what a chunk of it may be reached through: its logical devices first, which only one machine uses. */
  readonly devices: readonly string[];
}

/** Every domain that allows chunks, or why none can be read. */
export async function readDomains(
  service: RedfishService,
  layout: Layout,
  context: CallContext,
): Promise<
  | { readonly tag: 'ok'; readonly domains: readonly DomainRead[] }
  | { readonly tag: 'failed'; readonly failure: Failure }
> {
  if (layout.chassis === undefined) return { tag: 'ok', domains: [] };
  const expand = layout.expand === undefined ? undefined : '.($levels=1)';
  const chassis = await readMembers(service, layout.chassis, decode.chassis, context, expand);
  if (chassis.tag === 'failed') return chassis;
  const domains: DomainRead[] = [];
  for (const { uri, read } of chassis.members) {
    // A chassis that cannot be read has no memory to give now; the others have.
    if (read.tag !== 'ok' || read.value.MemoryDomains === undefined) continue;
    const collection = belowParent(uri, 'MemoryDomains', read.value.MemoryDomains['@odata.id']);
    const found = await readMembers(service, collection, decode.memoryDomain, context, expand);
    if (found.tag === 'failed') return found;
    for (const member of found.members) {
      if (member.read.tag !== 'ok' || member.read.value.AllowsMemoryChunkCreation !== true) continue;
      const domain = await complete(service, member.uri, member.read.value, expand, context);
      if (domain.tag === 'failed') return domain;
      domains.push(domain.value);
    }
  }
  return { tag: 'ok', domains };
}

async function complete(
  service: RedfishService,
  uri: string,
  domain: MemoryDomain,
  expand: string | undefined,
  context: CallContext,
) {
  const chunksUri = belowParent(uri, 'MemoryChunks', domain.MemoryChunks?.['@odata.id']);
  const chunks = await readMembers(service, chunksUri, decode.chunk, context, expand);
  if (chunks.tag === 'failed') return chunks;
  const sizes = chunks.members.map(({ read }) => (read.tag === 'ok' ? (read.value.MemoryChunkSizeMiB ?? 0) : 0));
  const used = sizes.reduce((sum, size) => sum + size, 0);
  const {
    MemorySizeMiB: size,
    MinMemoryChunkSizeMiB: least = 1,
    MemoryChunkIncrementMiB: step = 1,
    Links: links,
  } = domain;
  const refs = [links?.CXLLogicalDevices, links?.FabricAdapters, links?.MediaControllers, links?.PCIeFunctions];
  const value: DomainRead = {
    uri,
    chunksUri,
    leftMiB: size === undefined ? undefined : size - used,
    chunks: new Set(chunks.members.flatMap(({ read }) => (read.tag === 'ok' ? (ownNameOf(read.value) ?? []) : []))),
    minMiB: Math.max(1, least),
    incrementMiB: Math.max(1, step),
    devices: refs.flatMap((list) => (list ?? []).map((one) => one['@odata.id'])),
  };
  return { tag: 'ok', value } as const;
}

/** The size that a domain makes of a wish: at least its smallest, and a whole number of its steps. */
export function roundedMiB({ minMiB, incrementMiB }: DomainRead, wishMiB: number): number {
  return Math.ceil(Math.max(wishMiB, minMiB) / incrementMiB) * incrementMiB;
}
