import { decoderOf, type Decoded } from '@cro/crd-types';
import type { Static, TSchema } from 'typebox';

/**
 * Makes the parser of a wire format: fields that the schema does not name pass, and a property that is null counts as
 * absent, since servers written in Go send null for an empty list. (A union with null in the schema would do too, but
 * then an error deep inside is told as an error of the union.)
 */
export function wireDecoder<T extends TSchema>(schema: T): (value: unknown) => Decoded<Static<T>> {
  const decode = decoderOf(schema);
  return (value) => decode(withoutNulls(value));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}
