import { expired, statusOf } from '../base/failures.ts';
import { ConnectionCut, type SimResponse } from '../base/http.ts';
import { type Result, success } from '../base/result.ts';
import type { Change } from '../store/change.ts';
import { bookmarkLine } from './bookmark.ts';
import { type Call, flag } from './call.ts';
import { encoderOf } from './encode.ts';
import { TextStream } from './text-stream.ts';
import { keyPrefix, selectorsOf, type Target } from './target.ts';
import { initialEvents, watchStart } from './watch-start.ts';
import { eventLine, selectChange } from './watch-event.ts';
import type { World } from './world.ts';

/** GET with `watch=true`: what happens to the objects that the selectors pick, from a version on. */
export function watch(world: World, call: Call, target: Target): Result<SimResponse> {
  const encoder = encoderOf(call, target, () => world.clock.now());
  if (!encoder.ok) return encoder;
  const selects = selectorsOf(call, target);
  if (!selects.ok) return selects;
  const start = watchStart(world, call);
  if (!start.ok) return start;
  const stream = new TextStream(() => {
    for (const undo of cleanup.splice(0)) undo();
  });
  const cleanup: (() => void)[] = [];
  const headers = { 'content-type': 'application/json' };
  const { history } = world.store.collection(target.type);
  const since = start.value.from === undefined ? [] : history.after(start.value.from);
  if (since === undefined) {
    const text = `too old resource version: ${String(start.value.from)} (${String(history.forgotten)})`;
    stream.write(eventLine('ERROR', statusOf(expired(text))));
    stream.end();
    return success({ status: 200, headers, body: stream });
  }
  const prefix = keyPrefix(target);
  const send = (change: Change) => {
    if (!change.key.startsWith(prefix)) return;
    const text = selectChange(change, selects.value, encoder.value, target.type);
    if (text !== undefined) stream.write(text);
  };
  for (const line of initialEvents(world, target, start.value, selects.value, encoder.value)) stream.write(line);
  for (const change of since) send(change);
  history.listeners.add(send);
  const seen = world.store.version;
  const bookmark = () => {
    // One that says nothing new is not sent.
    const { version } = world.store;
    if (version > seen) stream.write(bookmarkLine(target.type, version, encoder.value));
  };
  cleanup.push(() => history.listeners.delete(send), ...startTimers(world, call, target, stream, bookmark));
  endWithSignal(call.signal, stream, cleanup);
  return success({ status: 200, headers, body: stream });
}

/** How long before its timeout a watch gets its last bookmark: the client's next watch then begins where this one ended. */
const LAST_BOOKMARK_MS = 2_000;

/** Bookmarks, the timeout, and the handle by which a test closes the watch. */
function startTimers(
  world: World,
  call: Call,
  target: Target,
  stream: TextStream,
  bookmark: () => void,
): (() => void)[] {
  const { clock, bookmarkIntervalMs } = world;
  const lasts = timeoutMs(world, call);
  const lastBookmark = clock.monotonic() + lasts - LAST_BOOKMARK_MS;
  let cancelBookmark: () => void = () => undefined;
  const arm = () => {
    const left = lastBookmark - clock.monotonic();
    if (left <= 0) return;
    cancelBookmark = clock.after(Math.min(bookmarkIntervalMs, left), () => {
      bookmark();
      arm();
    });
  };
  if (flag(call, 'allowWatchBookmarks')) arm();
  const cancelTimeout = clock.after(lasts, () => {
    stream.end();
  });
  const forget = world.watches.add({
    group: target.type.group,
    plural: target.type.plural,
    userAgent: call.headers['user-agent'] ?? '',
    end: () => {
      stream.end();
    },
    cut: () => {
      stream.end(new ConnectionCut());
    },
    hold: (held) => {
      stream.hold(held);
    },
  });
  return [
    () => {
      cancelBookmark();
    },
    cancelTimeout,
    forget,
  ];
}

/** Without `timeoutSeconds` the server picks one from 30 to 60 minutes. */
function timeoutMs(world: World, call: Call): number {
  const asked = Number(call.query.get('timeoutSeconds') ?? '0');
  return asked > 0 ? asked * 1000 : 1_800_000 * (1 + world.random());
}

function endWithSignal(signal: AbortSignal, stream: TextStream, cleanup: (() => void)[]): void {
  const stop = () => {
    stream.end();
  };
  if (signal.aborted) {
    stop();
    return;
  }
  signal.addEventListener('abort', stop, { once: true });
  cleanup.push(() => {
    signal.removeEventListener('abort', stop);
  });
}
