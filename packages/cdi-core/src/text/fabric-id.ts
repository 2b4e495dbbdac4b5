import { Type } from 'typebox';

const FABRIC_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$/;

/**
 * True for an id that may stand in a URL's path, a log line or a ticket: letters, digits and `._:@-`, starting with a
 * letter or digit (so neither `.` nor `..`), at most 256 characters. UUIDs and serial numbers are of this form.
 */
export function isFabricId(id: string): boolean {
  return FABRIC_ID.test(id);
}

/** The same as a schema, for the ids in a wire format: an answer with an id of another form is not understood, and not half of it. */
export const FabricId = Type.String({ pattern: FABRIC_ID.source });
