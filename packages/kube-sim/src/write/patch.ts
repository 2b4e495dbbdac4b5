import { badRequest, unsupportedAtAll, unsupportedMediaType } from '../base/failures.ts';
import { goSyntaxError, goTypeError } from '../base/go-json.ts';
import { isObject, type JsonObject, type JsonValue, parseJson, stringAt } from '../base/json.ts';
import { type Failure, type Result } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import type { NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicPatch } from '../patch/strategic-patch.ts';
import { admitFields } from './candidate.ts';
import { misplacement } from './misplacement.ts';
import { checkOptions } from './options.ts';
import { mediaType, oversized } from './read-body.ts';
import { refusedMetadata } from './next-object.ts';
import { update } from './update.ts';
import type { Written } from './written.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

type Apply = (old: JsonObject) => Result<JsonObject>;

/** PATCH of an object, or of its status. */
export async function patch(world: World, call: Call, target: NamedTarget): Promise<Result<Written>> {
  const apply = reader(call, target);
  if (!apply.ok) return apply;
  const options = checkOptions(call, 'PatchOptions');
  if (!options.ok) return options;
  return update(world, call, target, (old) => {
    const patched = apply.value(old);
    if (!patched.ok) return patched;
    return changedIdentity(target, old, patched.value) ?? admitFields(call, target.type, patched.value, true);
  });
}

/** What makes an object this one cannot be patched. */
function changedIdentity(target: NamedTarget, old: JsonObject, patched: JsonObject): Failure | undefined {
  const misplaced = misplacement(target, patched);
  if (misplaced !== undefined) return misplaced;
  const uid = stringAt(patched, 'metadata', 'uid') ?? '';
  if (uid === stringAt(old, 'metadata', 'uid')) return undefined;
  return refusedMetadata(target, { tag: 'invalid', path: 'metadata.uid', value: uid, detail: 'field is immutable' });
}

function reader(call: Call, target: NamedTarget): Result<Apply> {
  const type = mediaType(call);
  const served = [JSON_PATCH, MERGE_PATCH, ...(target.type.custom ? [] : [STRATEGIC_PATCH])];
  if (type === 'application/apply-patch+yaml' || type === 'application/apply-patch+cbor') {
    return unsupportedMediaType('server-side apply is not supported by this server; apply on the client side instead');
  }
  if (!served.includes(type)) return target.type.custom ? unknownPatch(served) : unsupportedAtAll();
  const size = oversized(call);
  if (!size.ok) return size;
  const body = parseJson(call.body);
  if (body === undefined) return badRequest(`error decoding patch: ${goSyntaxError(call.body)}`);
  return { ok: true, value: (old) => applyPatch(type, old, body) };
}

/** The real server takes apply patches as well, and says so. */
function unknownPatch(served: readonly string[]): Failure {
  const types = [...served, 'application/apply-patch+yaml'].join(', ');
  return unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${types}`,
  );
}

function applyPatch(type: string, old: JsonObject, body: JsonValue): Result<JsonObject> {
  if (type === JSON_PATCH) return applyJsonPatch(old, body);
  if (body === null) return badRequest('Invalid JSON Patch');
  if (!isObject(body)) return badRequest(`error decoding patch: ${goTypeError(body, 'map[string]interface {}')}`);
  return { ok: true, value: type === MERGE_PATCH ? applyMergePatch(old, body) : applyStrategicPatch(old, body) };
}
