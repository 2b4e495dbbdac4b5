import type { CallContext } from '@cro/cdi-core';
import type { Decoded, Failure } from '@cro/crd-types';
import { bounded } from '../bounded.ts';
import type { Read, RedfishService } from '../redfish/service.ts';
import { isUri } from '../redfish/uri.ts';
import { decode, type Collection } from '../redfish/wire.ts';

/** A member of a collection, with what came of reading it. */
export interface Member<T> {
  readonly uri: string;
  readonly read: Read<T>;
}

/** The members of a collection, or why it cannot be read. A collection that is not there has none. */
export type Members<T> =
  | { readonly tag: 'ok'; readonly members: readonly Member<T>[] }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Reads at once: enough to be quick, few enough not to crowd out changes. */
const AT_ONCE = 8;
/** Most pages of one collection. */
const MOST_PAGES = 1_000;

/**
 * Reads every member of a collection: in one call where the service expands them (`expand`: `.($levels=1)`), else one call each,
 * eight at a time. A member that cannot be read is told as such, and hides no other. `Members@odata.count` is not believed.
 */
export async function readMembers<T>(
  service: RedfishService,
  uri: string,
  decodeBody: (value: unknown) => Decoded<T>,
  context: CallContext,
  expand?: string,
): Promise<Members<T>> {
  const items = await readPages(service, uri, context, expand);
  if (items.tag === 'failed') return items;
  const members = await bounded(items.members, AT_ONCE, async (item): Promise<readonly Member<T>[]> => {
    const reference = decode.ref(item);
    if (reference.tag === 'malformed') return [];
    const one = reference.object['@odata.id'];
    if (!isUri(one)) return [];
    const isExpanded = typeof item === 'object' && item !== null && Object.keys(item).length > 1;
    if (!isExpanded) return [{ uri: one, read: await service.get(one, decodeBody, context) }];
    const decoded = decodeBody(item);
    if (decoded.tag === 'ok') return [{ uri: one, read: { tag: 'ok', value: decoded.object } }];
    return [
      {
        uri: one,
        read: { tag: 'failed', failure: { kind: 'Protocol', message: `Redfish GET ${one}: ${decoded.message}` } },
      },
    ];
  });
  return { tag: 'ok', members: members.flat() };
}

/** Everything of a collection, or why it cannot be told. */
export type All<T> =
  { readonly tag: 'ok'; readonly items: readonly T[] } | { readonly tag: 'failed'; readonly failure: Failure };

/** How the whole of a collection is read. */
export interface Whole<T, R> {
  /** Undefined: the service has none. */
  readonly uri: string | undefined;
  readonly decode: (value: unknown) => Decoded<T>;
  readonly expand: string | undefined;
  /** A member that cannot be read: left out, or a failure of all. One that is gone is left out in any case. */
  readonly broken: 'leftOut' | 'failure';
  /** Reads what belongs to a member and is not in it. */
  readonly complete: (uri: string, value: T) => Promise<Read<R>>;
}

/** Reads a whole collection with what belongs to its members. */
export async function readAll<T, R>(
  service: RedfishService,
  { uri, decode: decodeBody, expand, broken, complete }: Whole<T, R>,
  context: CallContext,
): Promise<All<R>> {
  if (uri === undefined) return { tag: 'ok', items: [] };
  const found = await readMembers(service, uri, decodeBody, context, expand);
  if (found.tag === 'failed') return found;
  const reads = await bounded(found.members, AT_ONCE, async ({ uri: one, read }) =>
    read.tag === 'ok' ? complete(one, read.value) : read,
  );
  const failed = broken === 'failure' ? reads.find((read) => read.tag === 'failed') : undefined;
  if (failed?.tag === 'failed') return failed;
  return { tag: 'ok', items: reads.flatMap((read) => (read.tag === 'ok' ? [read.value] : [])) };
}

type Items =
  { readonly tag: 'ok'; readonly members: readonly unknown[] } | { readonly tag: 'failed'; readonly failure: Failure };

async function readPages(
  service: RedfishService,
  uri: string,
  context: CallContext,
  expand: string | undefined,
): Promise<Items> {
  const members: unknown[] = [];
  const first: Page = { path: uri, query: expand === undefined ? '' : `?$expand=${expand}` };
  const seen = new Set<string>();
  // A last page that leads to one before it is the end as well.
  for (let page: Page | undefined = first; page !== undefined && !seen.has(keyOf(page));) {
    seen.add(keyOf(page));
    const read: Read<Collection> = await service.get(page.path, decode.collection, context, page.query);
    if (read.tag === 'absent' && page === first) break;
    // Without its other pages nobody knows what a collection has.
    if (read.tag !== 'ok') return { tag: 'failed', failure: read.failure };
    members.push(...(read.value.Members ?? []));
    const link: string | undefined = read.value['Members@odata.nextLink'];
    page = link === undefined ? undefined : pageAt(link, service.base);
    if (link !== undefined && page === undefined) return elsewhere(uri);
    if (seen.size >= MOST_PAGES)
      return { tag: 'failed', failure: { kind: 'Protocol', message: `${uri}: more than ${MOST_PAGES} pages` } };
  }
  return { tag: 'ok', members };
}

/** A page of a collection. `query` is sent as it is. */
interface Page {
  readonly path: string;
  readonly query: string;
}

function keyOf({ path, query }: Page): string {
  return `${path}${query}`;
}

/** The page at a link, if it is one of this service. */
function pageAt(link: string, base: string): Page | undefined {
  const url = URL.parse(link, base);
  if (url === null || url.origin !== base || !isUri(url.pathname)) return undefined;
  return { path: url.pathname, query: url.search };
}

function elsewhere(uri: string): Items {
  const message = `${uri}: the link to its next page is not a path of the service: it is not followed`;
  return { tag: 'failed', failure: { kind: 'Protocol', message } };
}
