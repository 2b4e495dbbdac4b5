import { defined, type JsonObject } from '../base/json.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';
import type { Encoder } from './encode.ts';
import { eventLine } from './watch-event.ts';

/** A bookmark: nothing but the version up to which the client has seen everything. */
export function bookmarkLine(
  type: ResourceType,
  version: number,
  encoder: Encoder,
  annotations: JsonObject | undefined = undefined,
): string {
  const metadata = defined({
    resourceVersion: String(version),
    // The one that marks the end of the initial events is made in another way, which leaves the empty time out.
    creationTimestamp: annotations === undefined ? null : undefined,
    annotations,
  });
  const object = encoder.watched({ kind: type.kind, apiVersion: apiVersionOf(type), metadata });
  return eventLine('BOOKMARK', object);
}
