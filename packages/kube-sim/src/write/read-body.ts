import { parse as parseYaml } from 'yaml';
import type { Call } from '../api/call.ts';
import { MEDIA_TYPES, tooLarge, unsupportedMediaType } from '../base/failures.ts';
import { goSyntaxError } from '../base/go-json.ts';
import { type JsonValue, parseJson, toJson } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';

/** Bytes that a request's body may have. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** A body, or the words in which Go's decoder refuses it. */
export type Body =
  { readonly tag: 'value'; readonly value: JsonValue } | { readonly tag: 'unreadable'; readonly why: string };

/** The media type of the body, without parameters. */
export function mediaType(call: Call): string {
  return (call.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** 413 for a body that is larger than the server reads. */
export function oversized(call: Call): Result<undefined> {
  return Buffer.byteLength(call.body) > MAX_BODY_BYTES ? tooLarge(MAX_BODY_BYTES) : success(undefined);
}

/** Reads the body as JSON or YAML. */
export function readBody(call: Call): Result<Body> {
  const size = oversized(call);
  if (!size.ok) return size;
  switch (mediaType(call)) {
    case 'application/json':
    case '*/*':
    case '': {
      const value = parseJson(call.body);
      const why = `couldn't get version/kind; json parse error: ${value === undefined ? goSyntaxError(call.body) : ''}`;
      return success(value === undefined ? { tag: 'unreadable', why } : { tag: 'value', value });
    }
    case 'application/yaml':
    case 'application/x-yaml': {
      const value = parseYamlBody(call.body);
      return success(
        value === undefined ? { tag: 'unreadable', why: 'yaml: this is no YAML' } : { tag: 'value', value },
      );
    }
    default:
      return unsupportedMediaType(
        `the body of the request was in an unknown format - accepted media types include: ${MEDIA_TYPES}`,
      );
  }
}

function parseYamlBody(body: string): JsonValue | undefined {
  try {
    return toJson(parseYaml(body));
  } catch (error) {
    if (error instanceof Error && error.name === 'YAMLParseError') return undefined;
    throw error;
  }
}
