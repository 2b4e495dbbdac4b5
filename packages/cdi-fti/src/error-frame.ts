import { cleanText, parseJson, wireDecoder } from '@cro/cdi-core';
import type { FailureKind } from '@cro/crd-types';
import { Type } from 'typebox';

/** The frame around every error of FM and CM (go-operator-tests.md, 2.3). `message` is a text or any JSON. */
const decodeErrorFrame = /* @__PURE__ */ wireDecoder(
  Type.Object({ detail: Type.Object({ code: Type.Union([Type.String(), Type.Number()]), message: Type.Unknown() }) }),
);

/** An error of CoHDI's mock of FM (cohdi-ci-mock 00e91bf), which speaks for FM in CoHDI's tests. */
const decodePlainError = /* @__PURE__ */ wireDecoder(Type.Object({ error: Type.String() }));

/** What it says of a request that it did not carry out. In this frame nothing else is proof: gateways use it, too. */
const MOCK_REFUSALS: ReadonlySet<string> = new Set([
  'insufficient_resources',
  'invalid_parameter',
  'machine not found',
]);

/** What the body of an error says in the managers' own frame, or why it is not in it. */
export type ErrorFrame =
  { readonly tag: 'frame'; readonly said: string } | { readonly tag: 'other'; readonly problem: string };

/** Reads the body of an error. `manager` is who answered: `FM`. */
export function readErrorFrame(manager: string, body: string): ErrorFrame {
  const parsed = parseJson(body);
  if (parsed.tag === 'malformed') return { tag: 'other', problem: parsed.problem };
  const plain = decodePlainError(parsed.value);
  if (plain.tag === 'ok') return readPlainError(manager, plain.object.error);
  const frame = decodeErrorFrame(parsed.value);
  if (frame.tag === 'malformed') return { tag: 'other', problem: cleanText(frame.message) };
  const { code, message } = frame.object.detail;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const said = `${manager} returned code: '${cleanText(String(code), 64)}', error message: '${cleanText(text)}'`;
  return { tag: 'frame', said };
}

function readPlainError(manager: string, error: string): ErrorFrame {
  const said = `error: '${cleanText(error)}'`;
  if (MOCK_REFUSALS.has(error)) return { tag: 'frame', said: `${manager} returned ${said}` };
  return { tag: 'other', problem: `detail: found nothing, accepted: object; ${said}` };
}

/** The kind of failure that a status stands for. Unless `framed`, only those count whose meaning does not depend on who answers. */
export function kindOf(status: number, framed: boolean): FailureKind {
  if (status === 401 || status === 403) return 'Unauthenticated';
  if (status === 429) return 'Busy';
  if (!framed && status < 500) return 'Protocol';
  if (status === 409 || status === 423 || status === 503) return 'Busy';
  return status >= 500 ? 'Unreachable' : 'Rejected';
}
