import type { Failure } from '@cro/crd-types';
import type { HttpRequest, HttpResponse, ProviderHost } from '../contract/host.ts';
import { isSendError } from '../http/send-error.ts';
import { cleanText } from '../text/clean-text.ts';
import { redact } from '../text/redact.ts';
import type { Answer, AnswerHeaders } from './answer.ts';
import type { JsonCall } from './json-call.ts';
import { parseJson } from './parse-json.ts';
import { retryAfterMs } from './retry-after.ts';

/** Who sends a call, and whom to trust. */
export interface SendOptions {
  readonly token?: string | undefined;
  /** How the token is shown. Absent: `Authorization: Bearer`. */
  readonly tokenHeaders?: ((token: string) => Readonly<Record<string, string>>) | undefined;
  readonly caFile?: string | undefined;
}

/** Sends a call once and reads its answer. `token` goes into the header, and out of every message. */
export async function sendOnce<T>(
  host: Pick<ProviderHost, 'http' | 'clock'>,
  call: JsonCall<T>,
  options: SendOptions,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const { token } = options;
  const secrets = [...(call.secrets ?? []), ...(token === undefined ? [] : [token])];
  let response: HttpResponse;
  try {
    response = await host.http.send(requestOf(call, options), signal);
  } catch (error) {
    const sent = isSendError(error) ? error.sent : true;
    return { tag: 'noAnswer', sent, failure: noAnswer(call.what, error, secrets) };
  }
  return read(host, call, response, secrets);
}

function requestOf(call: JsonCall<unknown>, { token, tokenHeaders = bearer, caFile }: SendOptions): HttpRequest {
  const body = call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const type = call.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    method: call.method,
    url: call.url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...call.headers,
      ...(token === undefined ? {} : tokenHeaders(token)),
    },
    ...(body === undefined ? {} : { body }),
    ...(caFile === undefined ? {} : { caFile }),
  };
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

function read<T>(
  host: Pick<ProviderHost, 'clock'>,
  call: JsonCall<T>,
  { status, body, headers }: HttpResponse,
  secrets: readonly string[],
): Answer<T> {
  if (status < 200 || status > 299) {
    const after = retryAfterMs(headers['retry-after'], host.clock.now());
    return {
      tag: 'status',
      status,
      body: redact(body, secrets),
      ...(after === undefined ? {} : { retryAfterMs: after }),
    };
  }
  const empty = body.trim() === '' && call.mayBeEmpty === true;
  const parsed = empty ? ({ tag: 'ok', value: undefined } as const) : parseJson(body);
  const wanted = wantedOf(call, headers);
  if (parsed.tag === 'malformed') return { tag: 'mismatch', status, problem: parsed.problem, ...wanted };
  const decoded = call.decode(parsed.value);
  if (decoded.tag === 'ok') return { tag: 'ok', status, value: decoded.object, ...wanted };
  return { tag: 'mismatch', status, problem: cleanText(redact(decoded.message, secrets)), ...wanted };
}

function wantedOf(
  { wantHeaders }: Pick<JsonCall<unknown>, 'wantHeaders'>,
  headers: HttpResponse['headers'],
): { readonly headers?: AnswerHeaders } {
  if (wantHeaders === undefined) return {};
  const found = wantHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { headers: Object.fromEntries(found) };
}

function noAnswer(what: string, error: unknown, secrets: readonly string[]): Failure {
  const text = error instanceof Error ? error.message : 'no answer';
  const kind = isSendError(error) && error.fault === 'trust' ? 'Blocked' : 'Unreachable';
  return { kind, message: `${what}: ${cleanText(redact(text, secrets))}` };
}
