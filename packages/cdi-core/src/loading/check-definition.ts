import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { CONTRACT_VERSION, type ProviderDefinition } from '../contract/provider.ts';
import type { ReadKind } from '../contract/read-kind.ts';
import { cleanText } from '../text/clean-text.ts';
import { isRecord } from './is-record.ts';

/** A definition, or one line that says why there is none. */
export type FoundDefinition =
  | { readonly tag: 'found'; readonly definition: ProviderDefinition }
  | { readonly tag: 'failed'; readonly message: string };

/** What a name in a ticket, a label and an error text can be. */
const Name = Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' });

/** Parts of a URL of the API server. */
const Plural = Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' });
const Group = Type.String({ pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$' });
const Version = Type.String({ pattern: '^v[0-9]+((alpha|beta)[0-9]+)?$' });
const Kind = Type.String({ pattern: '^[A-Z][A-Za-z0-9]{0,62}$' });

const Reads = Type.Array(
  Type.Object({ group: Group, version: Version, kind: Kind, plural: Plural, namespaced: Type.Boolean() }),
);

const decodeParts = /* @__PURE__ */ decoderOf(
  Type.Object({ name: Name, configSchema: Type.Record(Type.String(), Type.Unknown()), reads: Reads }),
);
const decodeReads = /* @__PURE__ */ decoderOf(Type.Object({ reads: Reads }));

/**
 * Checks a definition that may come from anybody's package, made with another copy of this one: what counts is its shape.
 * Its `configSchema` is checked where it is used.
 */
export function checkDefinition(value: unknown): FoundDefinition {
  const problem = problemIn(value);
  return isDefinition(value, problem) ? { tag: 'found', definition: value } : { tag: 'failed', message: problem ?? '' };
}

/** Checks the kinds that a provider wants to read. Answers what is wrong with them. */
export function problemInReads(reads: unknown): string | undefined {
  const decoded = decodeReads({ reads });
  if (decoded.tag === 'malformed') return decoded.message;
  return readsSecrets(decoded.object.reads)
    ? 'reads names Secrets: mark the field of the configuration with "x-cro-secret" instead'
    : undefined;
}

function problemIn(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no definition: make one with defineProvider of @cro/cdi-core';
  const { contract, create, readsFor, reads } = value;
  if (contract !== CONTRACT_VERSION) return `it is made for contract ${found(contract)}, accepted: ${CONTRACT_VERSION}`;
  const parts = decodeParts(value);
  if (parts.tag === 'malformed') return parts.message;
  if (typeof create !== 'function') return `create: found ${found(create)}, accepted: a function`;
  if (readsFor !== undefined && typeof readsFor !== 'function') {
    return `readsFor: found ${found(readsFor)}, accepted: a function, or nothing`;
  }
  return problemInReads(reads);
}

function isDefinition(value: unknown, problem: string | undefined): value is ProviderDefinition {
  return problem === undefined && isRecord(value);
}

/** They have a way of their own, on which the operator may read no more of them than it has to, and no log shows them. */
function readsSecrets(reads: readonly ReadKind[]): boolean {
  return reads.some(({ group, plural }) => group === '' && plural === 'secrets');
}

function found(value: unknown): string {
  return value === undefined ? 'nothing' : cleanText(typeof value === 'object' ? 'an object' : String(value), 16);
}
