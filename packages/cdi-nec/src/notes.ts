import { decoderOf } from '@cro/crd-types';
import { Type, type Static } from 'typebox';

/** What a ticket remembers beside its device. */
const Notes = Type.Object({
  dialect: Type.Union([Type.Literal('oss'), Type.Literal('product')]),
  /** What the step names as its source: the CPU, or an adapter. */
  source: Type.String({ minLength: 1 }),
  /** When the newest apply of the history began, before ours was asked for: a time of the server's own. */
  since: Type.Optional(Type.String()),
  /** The applies that had begun in that second: none of them is ours. */
  seen: Type.Array(Type.String()),
});
/** What a ticket remembers beside its device. */
export type Notes = Static<typeof Notes>;

/** Reads the notes of a ticket. */
export const decodeNotes = /* @__PURE__ */ decoderOf(Notes);
