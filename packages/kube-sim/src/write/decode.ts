import { parse as parseYaml } from 'yaml';
import { badRequest, unsupportedMediaType } from '../base/failures.ts';
import { isObject, type JsonObject, type JsonValue, parseJson, stringAt, toJson } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';

/** The media type of the body, without parameters. */
export function mediaType(call: Call): string {
  return (call.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Reads the body as JSON or YAML. */
export function decodeBody(call: Call): Result<JsonValue> {
  switch (mediaType(call)) {
    case 'application/json':
    case '*/*':
    case '': {
      const value = parseJson(call.body);
      return value === undefined ? badRequest('the body of the request is no valid JSON') : success(value);
    }
    case 'application/yaml':
    case 'application/x-yaml': {
      const value = parseYamlBody(call.body);
      return value === undefined ? badRequest('the body of the request is no valid YAML') : success(value);
    }
    default:
      return unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
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

/** Reads the body as an object of `type`. */
export function decodeObject(call: Call, type: ResourceType): Result<JsonObject> {
  const body = decodeBody(call);
  if (!body.ok) return body;
  const kind = stringAt(body.value, 'kind') ?? type.kind;
  const apiVersion = stringAt(body.value, 'apiVersion') ?? apiVersionOf(type);
  if (!isObject(body.value) || (type.custom && stringAt(body.value, 'kind') === undefined)) {
    return badRequest(`Object 'Kind' is missing in '${call.body.slice(0, 200)}'`);
  }
  if (apiVersion !== apiVersionOf(type)) {
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(type)})`,
    );
  }
  if (kind !== type.kind) {
    return badRequest(
      `${kind} in version "${type.version}" cannot be handled as a ${type.kind}: no kind "${kind}" is served here`,
    );
  }
  return success({ ...body.value, apiVersion, kind });
}
