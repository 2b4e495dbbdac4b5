import { badRequest, expired, notFound } from '../base/failures.ts';
import type { SimResponse } from '../base/http.ts';
import { defined, type JsonObject } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { keyOf } from '../store/store.ts';
import type { Entry } from '../store/view.ts';
import type { Call } from './call.ts';
import { type Continue, readContinue, writeContinue } from './continue.ts';
import { encoderOf } from './encode.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
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
  const options = readListOptions(call, false);
  if (!options.ok) return options;
  const start = startOf(world, call, options.value);
  if (!start.ok) return start;
  const limit = asksForOne(call) ? 0 : options.value.limit;
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

function startOf(
  world: World,
  call: Call,
  { continueToken: token, resourceVersion, match }: ListOptions,
): Result<Continue> {
  if (token !== '') {
    if (!['', '0'].includes(resourceVersion))
      return badRequest('specifying resource version is not allowed when using continue');
    const read = readContinue(token);
    if (read === undefined) return badRequest(unreadable(token));
    return success(read.version === 0 ? { ...read, version: world.store.version } : read);
  }
  const version = requestedVersion(world, call, true);
  if (!version.ok) return version;
  return success({
    version: match === 'Exact' ? (version.value ?? world.store.version) : world.store.version,
    after: '',
  });
}

function unreadable(token: string): string {
  const byte = String(Math.floor(token.length / 4) * 4);
  return `invalid continue token: continue key is not valid: illegal base64 data at input byte ${byte}`;
}

/** An object that is asked for by its name is read as one, and no page goes on after it. */
function asksForOne(call: Call): boolean {
  return /(^|,)metadata\.name==?[^,]/u.test(call.query.get('fieldSelector') ?? '');
}

function takePage(entries: Iterable<Entry>, selects: (object: JsonObject) => boolean, limit: number): Page {
  const objects: JsonObject[] = [];
  let last = '';
  for (const [key, object] of entries) {
    // A full page goes on wherever anything follows, even what the selectors do not pick.
    if (limit > 0 && objects.length === limit) return { objects, last };
    if (!selects(object)) continue;
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
