import { objectField, textField } from '../json.ts';
import { keyOf } from '../kind.ts';

/** Which object, and which state of it. */
export interface Identity {
  readonly key: string;
  readonly uid: string;
  readonly version: string;
}

/** Reads the identity of an object before it is decoded: most repeated objects need no decoding. */
export function identityOf(value: unknown): Identity | undefined {
  const metadata = objectField(value, 'metadata');
  const name = textField(metadata, 'name');
  const uid = textField(metadata, 'uid');
  const version = textField(metadata, 'resourceVersion');
  if (name === undefined || uid === undefined || version === undefined) return undefined;
  const namespace = textField(metadata, 'namespace');
  return { key: keyOf({ name, ...(namespace !== undefined && { namespace }) }), uid, version };
}
