import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import type { Provider } from '../contract/provider.ts';
import { isRecord } from './is-record.ts';

/** A provider, or one line that says why there is none. */
export type Created =
  { readonly tag: 'created'; readonly provider: Provider } | { readonly tag: 'failed'; readonly message: string };

const CALLS = ['locate', 'prepare', 'start', 'resume', 'list', 'inventory'] as const;

/** setTimeout's longest. */
const LONGEST_MS = 2 ** 31 - 1;
const Timeout = Type.Number({ exclusiveMinimum: 0, maximum: LONGEST_MS });

const decode = /* @__PURE__ */ decoderOf(
  Type.Object({
    name: Type.String(),
    lane: Type.Union([Type.Literal('machine'), Type.Literal('manager')]),
    maxInFlight: Type.Optional(Type.Integer({ minimum: 1 })),
    settleSeconds: Type.Number({ minimum: 0 }),
    timeouts: Type.Object({ read: Timeout, mutate: Timeout }),
  }),
);

/** Checks what `create` of a definition answered: its shape, and that it goes by the definition's name. */
export function checkProvider(value: unknown, name: string): Created {
  const problem = problemIn(value, name);
  return isProvider(value, problem)
    ? { tag: 'created', provider: value }
    : { tag: 'failed', message: `create answered no provider: ${problem ?? ''}` };
}

function problemIn(value: unknown, name: string): string | undefined {
  const decoded = decode(value);
  if (decoded.tag === 'malformed') return decoded.message;
  if (decoded.object.name !== name) return `name: found "${decoded.object.name}", accepted: "${name}"`;
  const missing = CALLS.find((call) => !isRecord(value) || typeof value[call] !== 'function');
  return missing === undefined ? undefined : `${missing}: found no function`;
}

function isProvider(value: unknown, problem: string | undefined): value is Provider {
  return problem === undefined && isRecord(value);
}
