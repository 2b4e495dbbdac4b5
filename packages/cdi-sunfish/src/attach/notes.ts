import { decoderOf } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import type { Place } from '../tree/named.ts';

const Uri = Type.String({ minLength: 1, maxLength: 1024 });

const ByAction = Type.Object({
  method: Type.Literal('action'),
  system: Uri,
  block: Uri,
  add: Uri,
  remove: Uri,
});
const ByPatch = Type.Object({ method: Type.Literal('patch'), system: Uri, block: Uri });
const ByConnection = Type.Object({
  method: Type.Literal('connection'),
  /** Id and Name of the connection, and of the chunk if there is one. */
  name: Type.String({ minLength: 1, maxLength: 64 }),
  fabric: Uri,
  connections: Uri,
  isSunfish: Type.Boolean(),
  initiator: Uri,
  target: Uri,
  /** Where the connection is, once it is known to be there. */
  uri: Type.Optional(Uri),
  /** Where its chunk is, once that is known. */
  chunk: Type.Optional(Uri),
  /** What the connection is to bring beyond its endpoint: a piece of this domain. */
  memory: Type.Optional(Type.Object({ chunks: Uri, sizeMiB: Type.Integer({ minimum: 1 }) })),
});

/** Blocks of a system are changed by its actions. */
export type ByAction = Static<typeof ByAction>;
/** Blocks of a system are changed by a PATCH of their list. */
export type ByPatch = Static<typeof ByPatch>;
/** A connection is made between two endpoints. */
export type ByConnection = Static<typeof ByConnection>;

const Notes = Type.Union([ByAction, ByPatch, ByConnection]);
/** How a device is attached, and where everything for that is: what a ticket has to remember. */
export type Notes = Static<typeof Notes>;

/** Reads the notes of a ticket. */
export const decodeNotes = /* @__PURE__ */ decoderOf(Notes);

/** Where the connection of an operation should be. */
export function connectionPlace({ connections, name, isSunfish }: ByConnection): Place {
  return { collection: connections, name, keepsIds: isSunfish };
}

/** Where the chunk of an operation should be. */
export function chunkPlace({ name, isSunfish }: ByConnection, chunks: string): Place {
  return { collection: chunks, name, keepsIds: isSunfish };
}
