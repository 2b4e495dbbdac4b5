import { decodeObject } from '../decode.ts';
import { objectField, textField } from '../json.ts';
import type { Kind, KubeObject } from '../kind.ts';
import { Pacer } from '../pace.ts';
import { collectionPath, query } from '../path.ts';
import { errorOfAnswer } from './api-error.ts';
import { isSuccess } from './classify.ts';
import type { ApiError, ListOutcome } from './outcome.ts';
import { readPage, type PageEnd } from './page.ts';
import { sendWithin, type Sending } from './request.ts';

/** What to list. Without `namespace`: all namespaces. Selectors as kubectl takes them. */
export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Objects a page. Pages bound the server's memory and ours. */
const PAGE_SIZE = 500;

/** The outcome of one page. */
export type PageOutcome =
  | { readonly tag: 'page'; readonly resourceVersion: string; readonly continueToken?: string }
  | { readonly tag: 'failed'; readonly error: ApiError };

/**
 * Fetches one page and hands over its items as they arrive. No resourceVersion is asked for, so the list is consistent,
 * not from a replica's old cache.
 */
export async function fetchPage(
  sending: Sending,
  kind: Kind<KubeObject>,
  options: ListOptions & { readonly continueToken?: string; readonly signal?: AbortSignal },
  onItem: (value: unknown) => void,
): Promise<PageOutcome> {
  const { namespace, labelSelector, fieldSelector, continueToken } = options;
  const path =
    collectionPath(kind, namespace) +
    query({ limit: PAGE_SIZE, continue: continueToken, labelSelector, fieldSelector });
  let end: PageEnd | undefined;
  const sent = await sendWithin(sending, { method: 'GET', path }, options.signal, async (body) => {
    end = await readPage(body, new Pacer(sending.clock), onItem);
  });
  if (sent.tag === 'noAnswer') return { tag: 'failed', error: sent.error };
  if (!isSuccess(sent.answer) || end === undefined) return { tag: 'failed', error: errorOfAnswer(sent.answer) };
  if (end.tag === 'page') return end;
  return { tag: 'failed', error: { status: sent.answer.status, reason: 'Malformed', message: end.message } };
}

/** Lists everything. An object that does not decode fails the list: a caller must not take it for absent. */
export async function listAll<T extends KubeObject>(
  kind: Kind<T>,
  options: ListOptions,
  sending: Sending,
): Promise<ListOutcome<T>> {
  const objects: T[] = [];
  let malformed: string | undefined;
  const onItem = (value: unknown) => {
    const decoded = decodeObject(kind, value);
    if (decoded.tag === 'ok') objects.push(decoded.object);
    else malformed ??= `${kind.kind} ${nameOf(value)}: ${decoded.message}`;
  };
  let continueToken: string | undefined;
  for (;;) {
    const page = await fetchPage(
      sending,
      kind,
      { ...options, ...(continueToken !== undefined && { continueToken }) },
      onItem,
    );
    if (page.tag === 'failed') return page;
    if (malformed !== undefined)
      return { tag: 'failed', error: { status: 200, reason: 'Malformed', message: malformed } };
    if (page.continueToken === undefined) return { tag: 'listed', objects, resourceVersion: page.resourceVersion };
    continueToken = page.continueToken;
  }
}

function nameOf(value: unknown): string {
  return textField(objectField(value, 'metadata'), 'name') ?? '(without a name)';
}
