import { notFound } from '../base/failures.ts';
import { defined, type JsonObject, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import { inVersion, type NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { keyOf } from '../store/store.ts';
import { readDeleteOptions, unmetPrecondition } from './delete-options.ts';
import { erase, markDeleted } from './mark-deleted.ts';
import type { Written } from './written.ts';

/** Kinds whose deletion answers the object instead of a Status. */
const ANSWERS_OBJECT: ReadonlySet<string> = new Set([
  ...['pods', 'serviceaccounts', 'services'],
  ...['resourceclaims', 'resourceslices', 'deviceclasses'],
]);

/** DELETE of one object: marked while finalizers hold it, removed at once otherwise. */
export async function remove(world: World, call: Call, target: NamedTarget): Promise<Result<Written>> {
  const options = readDeleteOptions(call);
  if (!options.ok) return options;
  const { propagation, preconditions, dryRun } = options.value;
  const { type, name, namespace } = target;
  const stored = world.store.collection(type).get(keyOf(namespace, name));
  if (stored === undefined) return notFound(type, name);
  const object = inVersion(stored, type);
  const unmet = unmetPrecondition(target, object, preconditions);
  if (unmet !== undefined) return unmet;
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
  const left = dryRun ? markDeleted(world, type, object, propagation) : erase(world, target, propagation);
  const body = left ?? (answersObject(type) ? object : deletedStatus(target, object));
  return success({ code: 200, object: body, warnings: warnings.value });
}

/** DeviceTaintRule does so before v1 (pkg/registry/resource/devicetaintrule/storage). */
function answersObject({ plural, version }: NamedTarget['type']): boolean {
  return ANSWERS_OBJECT.has(plural) || (plural === 'devicetaintrules' && version !== 'v1');
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
