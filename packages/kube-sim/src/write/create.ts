import { alreadyExists, forbidden, plainError } from '../base/failures.ts';
import { type JsonObject, stringAt, without } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { type Call, isDryRun } from '../api/call.ts';
import type { Target } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { keyOfObject } from '../store/store.ts';
import { admitFields, checkObject } from './candidate.ts';
import { decodeObject } from './decode.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { newMetadata } from './new-meta.ts';
import { checkOptions } from './options.ts';
import type { Written } from './written.ts';

/** POST to a collection. */
export async function create(world: World, call: Call, target: Target): Promise<Result<Written>> {
  const { type } = target;
  const options = checkOptions(call, 'CreateOptions');
  if (!options.ok) return options;
  const decoded = decodeObject(call, type);
  if (!decoded.ok) return decoded;
  if (isVersion(stringAt(decoded.value, 'metadata', 'resourceVersion'))) {
    return plainError('resourceVersion should not be set on objects to be created');
  }
  const fields = admitFields(call, type, decoded.value, false);
  if (!fields.ok) return fields;
  const named = newMetadata(world, target, fields.value.object);
  if (!named.ok) return named;
  const checked = prepareNew(world, target, named.value);
  if (!checked.ok) return checked;
  const object = checked.value;
  const name = stringAt(object, 'metadata', 'name') ?? '';
  const warnings = await world.admit(
    {
      operation: 'CREATE',
      type,
      subresource: undefined,
      namespace: target.namespace,
      name,
      object,
      oldObject: undefined,
      dryRun: isDryRun(call),
    },
    call.signal,
  );
  if (!warnings.ok) return warnings;
  const present = world.store.collection(type).get(keyOfObject(object));
  if (present !== undefined) {
    return alreadyExists(type, name, stringAt(present, 'metadata', 'deletionTimestamp') !== undefined);
  }
  const stored = isDryRun(call) ? object : world.store.put(type, object);
  return success({
    code: 201,
    object: stored,
    warnings: [...fields.value.warnings, ...warnings.value, ...finalizerWarnings(type, object, undefined)],
  });
}

/** What is no number of a version does not count as one. */
function isVersion(text: string | undefined): boolean {
  return text !== undefined && /^[1-9]\d*$/u.test(text);
}

function prepareNew(world: World, target: Target, object: JsonObject): Result<JsonObject> {
  const { type, namespace } = target;
  // A new object's status is the controllers' to write.
  const withoutStatus = type.statusSubresource && !type.keepsNewStatus ? without(object, 'status') : object;
  const prepared = type.prepare(withoutStatus);
  const checked = checkObject(type, prepared, undefined);
  if (!checked.ok || namespace === undefined) return checked;
  const home = world.store.collection({ group: '', plural: 'namespaces' }).get(namespace);
  if (stringAt(home, 'status', 'phase') !== 'Terminating') return checked;
  const name = stringAt(prepared, 'metadata', 'name') ?? '';
  return forbidden(type, name, `unable to create new content in namespace ${namespace} because it is being terminated`);
}
