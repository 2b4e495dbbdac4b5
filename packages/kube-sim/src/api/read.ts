import { badRequest, expired, notFound } from '../base/failures.ts';
import type { SimResponse } from '../base/http.ts';
import { defined, type JsonObject } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { keyOf } from '../store/store.ts';
import type { Entry } from '../store/view.ts';
import type { Call } from './call.ts';
import { type Continue, readContinue, writeContinue } from './continue.ts';
import { encoderOf } from './encode.ts';
import { jsonResponse } from './respond.ts';
import { keyPrefix, type NamedTarget, selectorsOf, type Target } from './target.ts';
import { requestedVersion } from './versions.ts';
import type { World } from './world.ts';

/** GET of one object. */
export function get(world: World, call: Call, target: NamedTarget): Result<SimResponse> {
  const encoder = encoderOf(call, target, () => world.clock.now());
  if (!encoder.ok) return encoder;
  const version = requestedVersion(world, call);
  if (!version.ok) return version;
  const object = world.store.collection(target.type).get(keyOf(target.namespace, target.name));
  if (object === undefined) return notFound(target.type, target.name);
  return success(jsonResponse(200, encoder.value.one(object)));
}

interface Page {
  readonly objects: readonly JsonObject[];
  /** The key after which the list goes on; undefined at its end. */
  readonly last: string | undefined;
}

/** GET of a collection: selectors, `limit` and `continue`, and resourceVersion with its match rules. */
export function list(world: World, call: Call, target: Target): Result<SimResponse> {
  const encoder = encoderOf(call, target, () => world.clock.now());
  if (!encoder.ok) return encoder;
  const selects = selectorsOf(call, target);
  if (!selects.ok) return selects;
  const start = startOf(world, call);
  if (!start.ok) return start;
  const limit = Number(call.query.get('limit') ?? '0') || 0;
  const view = world.store.collection(target.type).at(start.value.version);
  if (view === undefined) return tooOld(start.value);
  const page = takePage(view.entries(keyPrefix(target), start.value.after), selects.value, limit);
  const { last } = page;
  const metadata = defined({
    resourceVersion: String(start.value.version),
    continue: last === undefined ? undefined : writeContinue({ version: start.value.version, after: last }),
    // What a selector leaves is not counted ahead: the real server does not either.
    remainingItemCount: last === undefined || filtered(call) ? undefined : view.count(keyPrefix(target), last),
  });
  return success(jsonResponse(200, encoder.value.many(page.objects, metadata)));
}

function filtered(call: Call): boolean {
  return (call.query.get('labelSelector') ?? '') !== '' || (call.query.get('fieldSelector') ?? '') !== '';
}

function startOf(world: World, call: Call): Result<Continue> {
  const token = call.query.get('continue') ?? '';
  if (token !== '') {
    const read = readContinue(token);
    if (read === undefined) return badRequest('continue key is not valid: illegal base64 or JSON');
    return success(read.version === 0 ? { ...read, version: world.store.version } : read);
  }
  const version = requestedVersion(world, call);
  if (!version.ok) return version;
  const exact = call.query.get('resourceVersionMatch') === 'Exact';
  return success({ version: exact ? (version.value ?? world.store.version) : world.store.version, after: '' });
}

function takePage(entries: Iterable<Entry>, selects: (object: JsonObject) => boolean, limit: number): Page {
  const objects: JsonObject[] = [];
  let last = '';
  for (const [key, object] of entries) {
    if (!selects(object)) continue;
    if (limit > 0 && objects.length === limit) return { objects, last };
    objects.push(object);
    last = key;
  }
  return { objects, last: undefined };
}

/** The words of the API server; for a paged list, with a token that goes on at the newest version. */
function tooOld(start: Continue) {
  if (start.after === '') return expired('The resourceVersion for the provided list is too old.');
  const fresh = writeContinue({ version: 0, after: start.after });
  const failure = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return { ...failure, metadata: { continue: fresh } };
}
