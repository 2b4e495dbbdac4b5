import { type Call, isDryRun } from '../api/call.ts';
import type { FieldError } from '../base/field-error.ts';
import { badRequest, conflict } from '../base/failures.ts';
import { goFieldError, goTypeError } from '../base/go-json.ts';
import { isObject, type JsonObject, objectAt, stringAt, stringsAt } from '../base/json.ts';
import { type Failure, type Result, success } from '../base/result.ts';
import type { NamedTarget } from '../api/target.ts';
import { checkDryRun, wrongOptions } from './options.ts';
import { readBody } from './read-body.ts';

/** What becomes of an object's dependents; undefined where the client does not say. */
export type Propagation = 'Foreground' | 'Background' | 'Orphan' | undefined;

/** The options of a deletion. */
export interface DeleteOptions {
  readonly propagation: Propagation;
  readonly preconditions: JsonObject;
  readonly dryRun: boolean;
}

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];
const META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The options in the body, or in the query where there is no body. */
export function readDeleteOptions(call: Call): Result<DeleteOptions> {
  const body = call.body === '' ? success(fromQuery(call)) : fromBody(call);
  if (!body.ok) return body;
  const errors = [...checkPropagation(body.value), ...checkDryRun(stringsAt(body.value, 'dryRun'))];
  if (errors.length > 0) return wrongOptions('DeleteOptions', errors);
  return success({
    propagation: propagationOf(body.value),
    preconditions: objectAt(body.value, 'preconditions'),
    dryRun: isDryRun(call) || stringsAt(body.value, 'dryRun').includes('All'),
  });
}

function fromQuery(call: Call): JsonObject {
  const policy = call.query.get('propagationPolicy');
  const dryRun = call.query.getAll('dryRun');
  return { dryRun, ...(policy === null ? {} : { propagationPolicy: policy }) };
}

function fromBody(call: Call): Result<JsonObject> {
  const body = readBody(call);
  if (!body.ok) return body;
  if (body.value.tag === 'unreadable') return badRequest(body.value.why);
  const { value } = body.value;
  if (!isObject(value)) return badRequest(`couldn't get version/kind; json parse error: ${goTypeError(value, META)}`);
  const wrong = FIELDS.find(
    ([field, , fits]) => value[field] !== undefined && value[field] !== null && !fits(value[field]),
  );
  if (wrong === undefined) return success(value);
  const [field, expected] = wrong;
  return badRequest(goFieldError(value[field] ?? null, `DeleteOptions.${field}`, expected));
}

/** The fields that are read, and their types in Go. */
const FIELDS: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
  ['preconditions', 'v1.Preconditions', isObject],
  ['dryRun', '[]string', Array.isArray],
  ['propagationPolicy', 'v1.DeletionPropagation', (value) => typeof value === 'string'],
  ['orphanDependents', 'bool', (value) => typeof value === 'boolean'],
];

function checkPropagation(options: JsonObject): readonly FieldError[] {
  const value = stringAt(options, 'propagationPolicy');
  if (value === undefined) return [];
  const path = 'propagationPolicy';
  if (typeof options['orphanDependents'] === 'boolean') {
    return [{ tag: 'invalid', path, value, detail: 'orphanDependents and deletionPropagation cannot be both set' }];
  }
  return POLICIES.slice(0, 3).includes(value) ? [] : [{ tag: 'unsupported', path, value, supported: POLICIES }];
}

function propagationOf(options: JsonObject): Propagation {
  switch (stringAt(options, 'propagationPolicy')) {
    case 'Foreground':
      return 'Foreground';
    case 'Orphan':
      return 'Orphan';
    case 'Background':
      return 'Background';
    default:
      break;
  }
  const orphan = options['orphanDependents'];
  return orphan === true ? 'Orphan' : orphan === false ? 'Background' : undefined;
}

/** 409 where the object is not the one that the client means. */
export function unmetPrecondition(target: NamedTarget, object: JsonObject, wanted: JsonObject): Failure | undefined {
  const subject = { ...target.type, plural: target.type.custom ? target.type.kind : target.type.plural };
  const uid = stringAt(wanted, 'uid');
  const hasUid = stringAt(object, 'metadata', 'uid') ?? '';
  if (uid !== undefined && uid !== hasUid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${hasUid}). The object might have been deleted and then recreated`;
    return conflict(subject, target.name, why);
  }
  const version = stringAt(wanted, 'resourceVersion');
  const hasVersion = stringAt(object, 'metadata', 'resourceVersion') ?? '';
  if (version !== undefined && version !== hasVersion) {
    const why = `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${hasVersion}). The object might have been modified`;
    return conflict(subject, target.name, why);
  }
  return undefined;
}
