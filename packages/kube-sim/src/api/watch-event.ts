import { type JsonObject, objectAt } from '../base/json.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';
import type { Change } from '../store/change.ts';
import type { Encoder } from './encode.ts';
import type { Matcher } from './label-selector.ts';

/** One line of a watch. */
export function eventLine(type: string, object: JsonObject): string {
  return `{"type":"${type}","object":${JSON.stringify(object)}}\n`;
}

/** The line of a change whose object is sent as it is stored; written once, however many watches send it. */
const sharedLines = new WeakMap<Change, string>();

/**
 * The line that a watch with a selector sends for a change: an object that comes to match was ADDED for this client,
 * one that no longer matches was DELETED. Undefined when the client has nothing to do with it.
 */
export function selectChange(
  change: Change,
  selects: Matcher,
  encoder: Encoder,
  type: ResourceType,
): string | undefined {
  const is = change.type !== 'DELETED' && selects(change.object);
  const was = change.previous !== undefined && selects(change.previous);
  if (!is && !was) return undefined;
  if (is && was === (change.type === 'MODIFIED') && canShare(change, encoder, type)) return sharedLine(change);
  if (!is && change.type === 'DELETED' && canShare(change, encoder, type)) return sharedLine(change);
  if (is) return eventLine(was ? 'MODIFIED' : 'ADDED', encoder.watched(change.object));
  return eventLine('DELETED', encoder.watched(lastSeen(change)));
}

function canShare(change: Change, encoder: Encoder, type: ResourceType): boolean {
  return encoder.plain && change.object['apiVersion'] === apiVersionOf(type);
}

function sharedLine(change: Change): string {
  const known = sharedLines.get(change);
  if (known !== undefined) return known;
  const line = eventLine(change.type, change.object);
  sharedLines.set(change, line);
  return line;
}

/** The state that the client knew, with the version of the change that took the object from it. */
function lastSeen(change: Change): JsonObject {
  const previous = change.previous ?? change.object;
  return { ...previous, metadata: { ...objectAt(previous, 'metadata'), resourceVersion: String(change.version) } };
}
