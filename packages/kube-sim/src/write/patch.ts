import { badRequest, unsupportedMediaType } from '../base/failures.ts';
import { isObject, type JsonObject, type JsonValue, parseJson, stringAt } from '../base/json.ts';
import { type Failure, type Result } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import type { NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicPatch } from '../patch/strategic-patch.ts';
import { admitFields } from './candidate.ts';
import { mediaType } from './decode.ts';
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
  return update(world, call, target, (old) => {
    const patched = apply.value(old);
    if (!patched.ok) return patched;
    return changedIdentity(target, old, patched.value) ?? admitFields(call, target.type, patched.value, true);
  });
}

/** What makes an object this one cannot be patched. */
function changedIdentity(target: NamedTarget, old: JsonObject, patched: JsonObject): Failure | undefined {
  const given = stringAt(patched, 'metadata', 'name') ?? '';
  if (given !== target.name) {
    return badRequest(`the name of the object (${given}) does not match the name on the URL (${target.name})`);
  }
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
  if (!served.includes(type)) {
    return unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${served.join(', ')}`,
    );
  }
  const body = parseJson(call.body);
  if (body === undefined) return badRequest('error decoding patch: the body of the request is no valid JSON');
  return { ok: true, value: (old) => applyPatch(type, old, body) };
}

function applyPatch(type: string, old: JsonObject, body: JsonValue): Result<JsonObject> {
  if (type === JSON_PATCH) return applyJsonPatch(old, body);
  if (!isObject(body)) return badRequest('error decoding patch: a merge patch is a JSON object');
  return { ok: true, value: type === MERGE_PATCH ? applyMergePatch(old, body) : applyStrategicPatch(old, body) };
}
