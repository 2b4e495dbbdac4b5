import { delay } from '@cro/clock';
import { Type, type Static } from 'typebox';
import { call, type Api } from '../api.ts';
import { readObject } from '../objects.ts';
import type { RetryHost } from '../retry.ts';

const Annotations = Type.Optional(Type.Record(Type.String(), Type.String()));

/** What is read of an object that is followed: a Pod, or a DaemonSet with its pod template. */
const Seen = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    generation: Type.Optional(Type.Integer()),
    deletionTimestamp: Type.Optional(Type.String()),
  }),
  spec: Type.Optional(
    Type.Object({
      template: Type.Optional(Type.Object({ metadata: Type.Optional(Type.Object({ annotations: Annotations })) })),
    }),
  ),
});

/** A way to an API server that can watch, too. */
export type WatchedApi = Api & Required<Pick<Api, 'watch'>>;

/** An object that is followed. */
export type Seen = Static<typeof Seen>;

const List = Type.Object({ metadata: Type.Object({ resourceVersion: Type.String() }), items: Type.Array(Seen) });
const Event = Type.Object({ type: Type.String(), object: Type.Unknown() });

/** Until a watch that has ended is begun anew, from a list. */
const PAUSE_MS = 1_000;

/**
 * Follows the objects under a path, and calls `look` with all of them, by name, when it has listed them and at each change. Goes on
 * until the host ends.
 */
export async function follow(
  api: WatchedApi,
  host: RetryHost,
  path: string,
  look: (objects: ReadonlyMap<string, Seen>) => void,
): Promise<void> {
  const isOver = () => host.signal.aborted;
  while (!isOver()) {
    const outcome = await followOnce(api, host.signal, path, look);
    if (isOver()) return;
    if (outcome !== undefined) host.report({ doing: `follow ${path}`, message: outcome, failures: 1, final: false });
    const over = () => undefined;
    await delay(host.clock, PAUSE_MS, host.signal).then(over, over);
  }
}

/** Answers what went wrong; nothing when the server has ended the watch. */
async function followOnce(
  api: WatchedApi,
  signal: AbortSignal,
  path: string,
  look: (objects: ReadonlyMap<string, Seen>) => void,
): Promise<string | undefined> {
  const listed = await call(api, 'GET', path);
  if (listed.tag !== 'ok') return listed.message;
  const list = readObject(List, listed.body);
  if (list.tag === 'failed') return list.message;
  const objects = new Map(list.value.items.map((object) => [object.metadata.name, object]));
  look(objects);
  try {
    const stream = await api.watch(`${path}?watch=1&resourceVersion=${list.value.metadata.resourceVersion}`, signal);
    for await (const line of linesOf(stream)) {
      const problem = take(objects, line);
      if (problem !== undefined) return problem;
      look(objects);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Takes an event in. Answers what is wrong with it. */
function take(objects: Map<string, Seen>, line: string): string | undefined {
  const event = readObject(Event, line);
  if (event.tag === 'failed') return event.message;
  const { type, object } = event.value;
  const seen = readObject(Seen, JSON.stringify(object));
  if (type === 'ERROR' || seen.tag === 'failed') return `the watch has ended: ${JSON.stringify(object).slice(0, 300)}`;
  const { name } = seen.value.metadata;
  if (type === 'DELETED') objects.delete(name);
  else objects.set(name, seen.value);
  return undefined;
}

async function* linesOf(stream: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of stream) {
    rest += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
