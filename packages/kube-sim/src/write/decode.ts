import type { Call } from '../api/call.ts';
import { badRequest } from '../base/failures.ts';
import { goTypeError } from '../base/go-json.ts';
import { isObject, type JsonObject, type JsonValue, NOTHING, stringAt } from '../base/json.ts';
import { type Failure, type Result, success } from '../base/result.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';
import { readBody } from './read-body.ts';

/** What Go reads the type of an object into. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Reads the body as an object of `type`. A custom object keeps the kind that it says it has: that is checked later. */
export function decodeObject(call: Call, type: ResourceType): Result<JsonObject> {
  const body = readBody(call);
  if (!body.ok) return body;
  if (body.value.tag === 'unreadable') return unrecognized(call, type, body.value.why);
  const { value } = body.value;
  const wrong = untyped(call, type, value);
  if (wrong !== undefined) return unrecognized(call, type, wrong);
  const object = isObject(value) ? value : NOTHING;
  return type.custom ? decodeCustom(type, object) : decodeBuiltin(type, object);
}

/** Why the type of an object cannot be told from it. Built-in objects need not say it. */
function untyped(call: Call, type: ResourceType, value: JsonValue): string | undefined {
  if (value !== null && !isObject(value))
    return `couldn't get version/kind; json parse error: ${goTypeError(value, TYPE_META)}`;
  return type.custom && stringAt(value, 'kind') === undefined
    ? `Object 'Kind' is missing in '${call.body}'`
    : undefined;
}

function decodeCustom(type: ResourceType, object: JsonObject): Result<JsonObject> {
  const apiVersion = stringAt(object, 'apiVersion') ?? '';
  const expected = apiVersionOf(type);
  if (apiVersion === expected) return success(object);
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

function decodeBuiltin(type: ResourceType, object: JsonObject): Result<JsonObject> {
  const kind = stringAt(object, 'kind') ?? type.kind;
  const apiVersion = stringAt(object, 'apiVersion') ?? apiVersionOf(type);
  if (kind === type.kind && apiVersion === apiVersionOf(type)) return success({ ...object, apiVersion, kind });
  const version = apiVersion.replace(/^.*\//u, '');
  const why = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`;
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${type.kind}: ${why}`);
}

function unrecognized(call: Call, type: ResourceType, why: string): Failure {
  return badRequest(
    `the object provided is unrecognized (must be of type ${type.kind}): ${why} (${summary(call.body)})`,
  );
}

/** The beginning of the body: what is no object stands there in hexadecimal digits. */
function summary(body: string): string {
  const bytes = Buffer.from(body, 'utf8');
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30);
  return `${body.startsWith('{') ? start.toString('utf8') : start.toString('hex')}${bytes.length > 30 ? ' ...' : ''}`;
}
