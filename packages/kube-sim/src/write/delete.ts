import { conflict, invalid, notFound } from '../base/failures.ts';
import { defined, isObject, type JsonObject, numberAt, objectAt, stringAt, stringsAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { timestamp } from '../base/sim-clock.ts';
import { type Call, isDryRun } from '../api/call.ts';
import { inVersion, type NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { keyOf } from '../store/store.ts';
import { decodeBody } from './decode.ts';
import type { Written } from './written.ts';

/** Kinds whose deletion answers the object instead of a Status. */
const ANSWERS_OBJECT: ReadonlySet<string> = new Set([
  ...['pods', 'serviceaccounts', 'services'],
  ...['resourceclaims', 'resourceslices', 'deviceclasses', 'devicetaintrules'],
]);

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** DELETE of one object: marked while finalizers hold it, removed at once otherwise. */
export async function remove(world: World, call: Call, target: NamedTarget): Promise<Result<Written>> {
  const options = deleteOptions(call);
  if (!options.ok) return options;
  const { type, name, namespace } = target;
  const policy = stringAt(options.value, 'propagationPolicy') ?? 'Background';
  if (!POLICIES.includes(policy)) return unknownPolicy(policy);
  const stored = world.store.collection(type).get(keyOf(namespace, name));
  if (stored === undefined) return notFound(type, name);
  const object = inVersion(stored, type);
  const unmet = unmetPrecondition(target, object, objectAt(options.value, 'preconditions'));
  if (unmet !== undefined) return unmet;
  const dryRun = isDryRun(call) || stringsAt(options.value, 'dryRun').includes('All');
  const warnings = await world.admit(
    {
      operation: 'DELETE',
      type,
      subresource: undefined,
      namespace,
      name,
      object: undefined,
      oldObject: object,
      dryRun,
    },
    call.signal,
  );
  if (!warnings.ok) return warnings;
  const left = dryRun ? undefined : erase(world, target, policy);
  const body = left ?? (ANSWERS_OBJECT.has(type.plural) ? object : deletedStatus(target, object));
  return success({ code: 200, object: body, warnings: warnings.value });
}

function unknownPolicy(value: string) {
  const error = { tag: 'unsupported', path: 'propagationPolicy', value, supported: [...POLICIES, 'nil'] } as const;
  return invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [error]);
}

function deleteOptions(call: Call): Result<JsonObject> {
  const policy = call.query.get('propagationPolicy');
  const query = defined({ propagationPolicy: policy ?? undefined });
  if (call.body === '') return success(query);
  const body = decodeBody(call);
  if (!body.ok) return body;
  return success({ ...query, ...(isObject(body.value) ? body.value : {}) });
}

function unmetPrecondition(target: NamedTarget, object: JsonObject, wanted: JsonObject) {
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

/** Removes the object, or marks it as being deleted; answers the marked object. */
export function erase(world: World, target: NamedTarget, policy: string): JsonObject | undefined {
  const { type } = target;
  const key = keyOf(target.namespace, target.name);
  const stored = world.store.collection(type).get(key);
  if (stored === undefined) return undefined;
  const object = inVersion(stored, type);
  const metadata = objectAt(object, 'metadata');
  const finalizers = [...stringsAt(metadata, 'finalizers')];
  const extra = policy === 'Foreground' ? 'foregroundDeletion' : policy === 'Orphan' ? 'orphan' : undefined;
  if (extra !== undefined && !finalizers.includes(extra)) finalizers.push(extra);
  if (finalizers.length === 0 && stringsAt(object, 'spec', 'finalizers').length === 0) {
    world.store.remove(type, key);
    return undefined;
  }
  if (metadata['deletionTimestamp'] !== undefined) return object;
  const generation = numberAt(metadata, 'generation');
  const marked = defined({
    ...metadata,
    finalizers: finalizers.length === 0 ? undefined : finalizers,
    deletionTimestamp: timestamp(world.clock.now()),
    deletionGracePeriodSeconds: 0,
    generation: generation === undefined ? undefined : generation + 1,
  });
  const phase = type.plural === 'namespaces' ? { status: { ...objectAt(object, 'status'), phase: 'Terminating' } } : {};
  return world.store.put(type, { ...object, ...phase, metadata: marked });
}

function deletedStatus({ type, name }: NamedTarget, object: JsonObject): JsonObject {
  const details = defined({
    name,
    group: type.group === '' ? undefined : type.group,
    kind: type.plural,
    uid: stringAt(object, 'metadata', 'uid'),
  });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
