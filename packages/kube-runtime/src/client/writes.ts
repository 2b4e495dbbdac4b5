import { isObject, numberField, objectField, textField } from '../json.ts';
import type { ObjectRef } from '../kind.ts';
import type { Served } from '../path.ts';

/** A write of ours that the server acknowledged. */
export type OwnWrite =
  | { readonly tag: 'stored'; readonly kind: Served; readonly object: unknown }
  /** The object is no more. `uid`: which of the objects that had this name, when it is known. */
  | { readonly tag: 'gone'; readonly kind: Served; readonly ref: ObjectRef; readonly uid?: string };

/**
 * What an update means for the object. Taking the last finalizer off an object that is being deleted removes it, and
 * the server answers with its last state all the same.
 */
export function writeOfUpdate(kind: Served, ref: ObjectRef, object: unknown): OwnWrite {
  const metadata = objectField(object, 'metadata');
  const deleting = textField(metadata, 'deletionTimestamp') !== undefined;
  return deleting && !outlivesDeletion(metadata) ? gone(kind, ref, metadata) : { tag: 'stored', kind, object };
}

/** What a delete means for the object: the server answers with the object where it lives on, else often with a Status. */
export function writeOfDelete(kind: Served, ref: ObjectRef, body: unknown, uid: string | undefined): OwnWrite {
  const metadata = objectField(body, 'metadata');
  if (isObject(body) && body.kind !== 'Status') {
    return outlivesDeletion(metadata) ? { tag: 'stored', kind, object: body } : gone(kind, ref, metadata);
  }
  return gone(kind, ref, { uid: textField(objectField(body, 'details'), 'uid') ?? uid });
}

function outlivesDeletion(metadata: Readonly<Record<string, unknown>>): boolean {
  const { finalizers } = metadata;
  if (Array.isArray(finalizers) && finalizers.length > 0) return true;
  return (numberField(metadata, 'deletionGracePeriodSeconds') ?? 0) > 0;
}

function gone(kind: Served, ref: ObjectRef, metadata: Readonly<Record<string, unknown>>): OwnWrite {
  const uid = textField(metadata, 'uid');
  return { tag: 'gone', kind, ref, ...(uid !== undefined && { uid }) };
}
