import { isObject, numberField, textField } from '../json.ts';
import { accessTo, type Access } from '../access/access.ts';
import type { Kind, KubeObject } from '../kind.ts';

/** A core/v1 Event, as far as the recorder reads it back. */
export interface EventObject extends KubeObject {
  readonly count: number;
}

/** The kind Event of the core group. */
export const events: Kind<EventObject> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  decode(value) {
    if (!isEvent(value)) return { tag: 'malformed', message: 'metadata.name: expected text' };
    const { apiVersion, kind, metadata } = value;
    return { tag: 'ok', object: { apiVersion, kind, metadata, count: numberField(value, 'count') ?? 1 } };
  },
};

/**
 * What an `EventRecorder` asks of the API server. `namespace`: where events go that are about cluster-scoped objects, or that of
 * the objects. `rarelyAgain`: why nothing may be told a second time, which a patch counts.
 */
export function eventAccess(namespace: string, rarelyAgain?: string): readonly Access[] {
  const without = `what happens is not told as events in the namespace ${namespace}`;
  const terms = { namespace, without, need: 'optional' } as const;
  return [
    accessTo(events, ['create'], terms),
    accessTo(events, ['patch'], { ...terms, ...(rarelyAgain !== undefined && { rarely: rarelyAgain }) }),
  ];
}

function isEvent(value: unknown): value is KubeObject {
  return isObject(value) && isObject(value.metadata) && textField(value.metadata, 'name') !== undefined;
}

/** The object that an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
}

/** `Warning`: somebody may have to do something. */
export type EventType = 'Normal' | 'Warning';

/** What is told. Two that are equal in everything are one event that is counted. */
export interface Occurrence {
  readonly about: EventSubject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** What makes two occurrences the same event. */
export function occurrenceKey({ about, type, reason, message }: Occurrence): string {
  return JSON.stringify([about.uid, about.kind, about.namespace, about.name, type, reason, message]);
}
