import { startDeadline } from '@cro/clock';
import { errorOfAnswer, errorOfStatus, noAnswer } from '../client/api-error.ts';
import { fetchPage, type ListOptions } from '../client/list.ts';
import { readText, sendWithin, type Sending } from '../client/request.ts';
import { messageOf, objectField, parseJson, textField } from '../json.ts';
import type { Kind, KubeObject, ObjectRef } from '../kind.ts';
import { Pacer } from '../pace.ts';
import { collectionPath, objectPath, query } from '../path.ts';
import { LineSplitter } from './line-splitter.ts';
import type { Listing, Watching, WatchInput } from './state.ts';

/** What the requests of a list-watch need. */
export interface Source {
  readonly sending: Sending;
  readonly kind: Kind<KubeObject>;
  readonly options: ListOptions;
  /** The one object that is watched: read by itself where it may be read and not listed. */
  readonly only?: ObjectRef;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Takes an input; false when the request that it came from is no longer wanted. */
export type Feed = (input: WatchInput) => boolean;

/** The server is asked to end a watch after this time; half as much again by jitter, so that not all end at once. */
const WATCH_SECONDS = 90;

/** How long after that a watch that did not end counts as dead. */
const SLACK_SECONDS = 10;

/** Fetches one page. */
export async function performList(source: Source, state: Listing, feed: Feed): Promise<void> {
  const { sending, kind, options, signal } = source;
  const { continueToken } = state;
  const page = await fetchPage(
    sending,
    kind,
    { ...options, signal, ...(continueToken !== undefined && { continueToken }) },
    (value) => feed({ tag: 'item', value }),
  );
  if (signal.aborted) return;
  const refused = page.tag === 'failed' && page.error.status === 403;
  if (!refused || source.only === undefined || !(await performGet(source, source.only, feed))) feed(page);
}

/** Reads the one object. False when that is refused too. */
async function performGet({ sending, kind, signal }: Source, ref: ObjectRef, feed: Feed): Promise<boolean> {
  const sent = await sendWithin(sending, { method: 'GET', path: objectPath(kind, ref) }, signal);
  if (sent.tag === 'noAnswer' || ![200, 404].includes(sent.answer.status)) return false;
  const body = parseJson(sent.answer.text);
  const found = sent.answer.status === 200 && body.tag === 'ok' ? body.value : undefined;
  if (found !== undefined) feed({ tag: 'item', value: found });
  feed({ tag: 'polled', resourceVersion: textField(objectField(found, 'metadata'), 'resourceVersion') ?? '' });
  return true;
}

/** Follows one watch until it ends. */
export async function performWatch(source: Source, state: Watching, feed: Feed): Promise<void> {
  const { sending, signal, random } = source;
  const seconds = Math.round(WATCH_SECONDS * (1 + random() / 2));
  const deadline = startDeadline(sending.clock, (seconds + SLACK_SECONDS) * 1000, signal);
  // Ends the connection too when the feed has enough.
  const stop = new AbortController();
  const either = AbortSignal.any([deadline.signal, stop.signal]);
  try {
    if (await follow(source, watchPath(source, state.resourceVersion, seconds), either, feed)) feed({ tag: 'closed' });
  } catch (error) {
    const message = deadline.expired() ? 'the watch went silent' : messageOf(error);
    if (!signal.aborted) feed({ tag: 'failed', error: noAnswer(message) });
  } finally {
    stop.abort();
    deadline.clear();
  }
}

function watchPath({ kind, options }: Source, resourceVersion: string, timeoutSeconds: number): string {
  const { namespace, labelSelector, fieldSelector } = options;
  const values = { watch: 1, allowWatchBookmarks: true, resourceVersion, timeoutSeconds, labelSelector, fieldSelector };
  return collectionPath(kind, namespace) + query(values);
}

/** True when the server ended the watch in order; false when the feed has enough. */
async function follow(source: Source, path: string, signal: AbortSignal, feed: Feed): Promise<boolean> {
  const { transport, userAgent, metrics, clock } = source.sending;
  const headers = { accept: 'application/json', 'user-agent': userAgent };
  const response = await transport.send({ method: 'GET', path, headers }, signal);
  metrics?.client.requestDone(String(response.status), transport.host, 'GET');
  if (response.status !== 200) {
    const { status, headers: received } = response;
    const text = await readText(response.body);
    feed({ tag: 'failed', error: errorOfAnswer({ status, headers: received, text }) });
    return false;
  }
  const lines = new LineSplitter();
  const pacer = new Pacer(clock);
  for await (const chunk of response.body) {
    for (const line of lines.push(chunk)) {
      if (!feed(inputOfLine(line))) return false;
      await pacer.pause();
    }
  }
  return true;
}

/** Reads one line of a watch (meta/v1 `WatchEvent`). */
export function inputOfLine(line: string): WatchInput {
  const parsed = parseJson(line);
  if (parsed.tag === 'malformed')
    return { tag: 'garbled', message: `a line of the watch is no JSON: ${parsed.message}` };
  const type = textField(parsed.value, 'type');
  const value = objectField(parsed.value, 'object');
  if (type === 'ERROR') return { tag: 'failed', error: errorOfStatus(value) };
  const resourceVersion = textField(objectField(value, 'metadata'), 'resourceVersion');
  if (resourceVersion === undefined) {
    return { tag: 'garbled', message: 'an event of the watch: expected object.metadata.resourceVersion, found none' };
  }
  switch (type) {
    case 'ADDED':
      return { tag: 'added', value, resourceVersion };
    case 'MODIFIED':
      return { tag: 'modified', value, resourceVersion };
    case 'DELETED':
      return { tag: 'deleted', value, resourceVersion };
    case 'BOOKMARK':
      return { tag: 'bookmark', resourceVersion };
    default:
      return { tag: 'garbled', message: `an event of the watch has the unknown type ${JSON.stringify(type)}` };
  }
}
