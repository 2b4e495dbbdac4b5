import { type FieldError, fieldErrorBody, fieldErrorReason, fieldErrorText } from './field-error.ts';
import { defined, type JsonObject } from './json.ts';
import type { Failure } from './result.ts';

/** The names that a Status' details speak of. */
export interface Named {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** `plural.group`, or `plural` in the core group, as error texts name a resource. */
export function groupResource(type: Pick<Named, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

function failure(code: number, reason: string, message: string, details?: JsonObject): Failure {
  return { ok: false, code, reason, message, ...(details === undefined ? {} : { details }) };
}

function resourceDetails(type: Named, name: string): JsonObject {
  return defined({ name, group: type.group === '' ? undefined : type.group, kind: type.plural });
}

/** 404: no such object. */
export function notFound(type: Named, name: string): Failure {
  return failure(404, 'NotFound', `${groupResource(type)} "${name}" not found`, resourceDetails(type, name));
}

/** 404: no such resource in a group of the server itself. */
export function noSuchResource(): Failure {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 409: an object of that name exists, or is still being deleted. */
export function alreadyExists(type: Named, name: string, deleting: boolean): Failure {
  const message = `${deleting ? 'object is being deleted: ' : ''}${groupResource(type)} "${name}" already exists`;
  return failure(409, 'AlreadyExists', message, resourceDetails(type, name));
}

/** What the API server says when an update was made from an old version of the object. */
export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** 409: a write that does not fit the stored object. */
export function conflict(type: Named, name: string, why: string = MODIFIED): Failure {
  const message = `Operation cannot be fulfilled on ${groupResource(type)} "${name}": ${why}`;
  return failure(409, 'Conflict', message, resourceDetails(type, name));
}

/** 422: an object whose fields are wrong. */
export function invalid(type: Pick<Named, 'group' | 'kind'>, name: string, errors: readonly FieldError[]): Failure {
  const texts = [...new Set(errors.map(fieldErrorText))];
  const kind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  const list = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  const causes = errors.map((error) => ({
    reason: fieldErrorReason(error),
    message: fieldErrorBody(error),
    field: error.path,
  }));
  const details = defined({
    name: name === '' ? undefined : name,
    group: type.group === '' ? undefined : type.group,
    kind: type.kind === '' ? undefined : type.kind,
    causes,
  });
  return failure(422, 'Invalid', `${kind} "${name}" is invalid: ${list}`, details);
}

/** 422 without details: a patch that could not be applied, such as one whose `test` failed. */
export function unprocessable(): Failure {
  return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

/** 400. */
export function badRequest(message: string): Failure {
  return failure(400, 'BadRequest', message);
}

/** 403. */
export function forbidden(type: Named, name: string, why: string): Failure {
  const message = `${groupResource(type)} "${name}" is forbidden: ${why}`;
  return failure(403, 'Forbidden', message, resourceDetails(type, name));
}

/** 401: the bearer token is missing or wrong. */
export function unauthorized(): Failure {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

/** 405. */
export function methodNotAllowed(): Failure {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** 405: a custom resource, or a part of it, knows no such verb. */
export function verbNotSupported(type: Named, verb: string): Failure {
  const message = `${verb} is not supported on resources of kind "${groupResource(type)}"`;
  return failure(405, 'MethodNotAllowed', message, defined({ group: type.group || undefined, kind: type.plural }));
}

/** The media types that objects are read and written in. */
export const MEDIA_TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

/** 406: none of the media types that the client accepts is made here. */
export function notAcceptable(): Failure {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${MEDIA_TYPES}`);
}

/** 406 of the router itself, in front of the built-in kinds. */
export function notAcceptableAtAll(): Failure {
  return failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES}`, {});
}

/** 406: the wanted form is that of another thing. */
export function wrongForm(message: string): Failure {
  return failure(406, 'NotAcceptable', message);
}

/** 415 of the router itself, in front of the built-in kinds. */
export function unsupportedAtAll(): Failure {
  return failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** 413: the body is larger than the server reads. */
export function tooLarge(limit: number): Failure {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${String(limit)}`);
}

/** 500 without a reason: an error of Go's that nobody has given a status. */
export function plainError(message: string): Failure {
  return { ok: false, code: 500, reason: '', message };
}

/** 415: the body came in a form that is not read here. */
export function unsupportedMediaType(message: string): Failure {
  return failure(415, 'UnsupportedMediaType', message);
}

/** 410: the wanted resourceVersion is older than what is kept. */
export function expired(message: string): Failure {
  return failure(410, 'Expired', message);
}

/** 500. */
export function internalError(message: string): Failure {
  const causes = [{ message }];
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes });
}

/** 504: a resourceVersion that is still to come. */
export function tooLargeResourceVersion(wanted: number, current: number): Failure {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${String(wanted)}, current: ${String(current)}`;
  return { ...failure(504, 'Timeout', message, { causes, retryAfterSeconds: 1 }), retryAfterSeconds: 1 };
}

/** The Status object that a failure is sent as. */
export function statusOf(failed: Failure): JsonObject {
  return defined({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: failed.metadata ?? {},
    status: 'Failure',
    message: failed.message,
    reason: failed.reason === '' ? undefined : failed.reason,
    details: failed.details,
    code: failed.code,
  });
}
