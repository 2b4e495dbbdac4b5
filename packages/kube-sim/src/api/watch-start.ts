import { type Result, success } from '../base/result.ts';
import { bookmarkLine } from './bookmark.ts';
import { type Call, flag } from './call.ts';
import type { Encoder } from './encode.ts';
import type { Matcher } from './label-selector.ts';
import { readListOptions } from './list-options.ts';
import { keyPrefix, type Target } from './target.ts';
import { requestedVersion } from './versions.ts';
import { eventLine } from './watch-event.ts';
import type { World } from './world.ts';

/** How a watch begins. */
export interface WatchStart {
  /** Changes after this version are sent; undefined when the present state is sent first. */
  readonly from: number | undefined;
  /** A bookmark says where the initial events end. */
  readonly marksEnd: boolean;
}

/** Reads resourceVersion, sendInitialEvents and resourceVersionMatch. */
export function watchStart(world: World, call: Call): Result<WatchStart> {
  const options = readListOptions(call, true);
  if (!options.ok) return options;
  const version = requestedVersion(world, call);
  if (!version.ok) return version;
  const { sendInitialEvents } = options.value;
  if (sendInitialEvents === true) return success({ from: undefined, marksEnd: flag(call, 'allowWatchBookmarks') });
  const from = (version.value ?? 0) === 0 ? world.store.version : version.value;
  return success({ from, marksEnd: false });
}

/** The present state as ADDED events, where the watch begins with it. */
export function* initialEvents(
  world: World,
  target: Target,
  start: WatchStart,
  selects: Matcher,
  encoder: Encoder,
): Generator<string> {
  if (start.from !== undefined) return;
  for (const [, object] of world.store.collection(target.type).entries(keyPrefix(target))) {
    if (selects(object)) yield eventLine('ADDED', encoder.watched(object));
  }
  if (start.marksEnd) {
    yield bookmarkLine(target.type, world.store.version, encoder, { 'k8s.io/initial-events-end': 'true' });
  }
}
