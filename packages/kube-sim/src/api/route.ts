import { badRequest, methodNotAllowed, noSuchResource, notFound, verbNotSupported } from '../base/failures.ts';
import type { SimResponse } from '../base/http.ts';
import type { JsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import { isNamespaces } from '../resources/builtin.ts';
import { create } from '../write/create.ts';
import { removeAll } from '../write/delete-collection.ts';
import { remove } from '../write/delete.ts';
import { patch } from '../write/patch.ts';
import { put } from '../write/put.ts';
import type { Written } from '../write/written.ts';
import { type Call, flag } from './call.ts';
import { encoderOf } from './encode.ts';
import { get, list } from './read.ts';
import { parseResourcePath } from './request-path.ts';
import { failureResponse, jsonResponse, pageNotFound } from './respond.ts';
import type { NamedTarget, Target } from './target.ts';
import { watch } from './watch.ts';
import type { World } from './world.ts';

/** What a path under /api or /apis is about; undefined where no resource is. */
export function targetOf(world: World, call: Call): Target | undefined {
  const path = parseResourcePath(call.pathname);
  if (path === undefined) return undefined;
  const type = world.registry.find(path.group, path.version, path.plural);
  if (type === undefined || (path.namespace !== undefined && !type.namespaced)) return undefined;
  if (path.namespace === undefined && type.namespaced && path.name !== undefined) return undefined;
  return { type, namespace: path.namespace, name: path.name, subresource: path.subresource };
}

/** Answers a request for a resource. */
export async function route(world: World, call: Call): Promise<SimResponse> {
  const target = targetOf(world, call);
  if (target === undefined) return nothingThere(world, call);
  const { type, namespace, name, subresource } = target;
  if (name === undefined && type.namespaced && namespace === undefined && call.method !== 'GET') {
    return type.custom ? pageNotFound() : failureResponse(methodNotAllowed());
  }
  if (name === undefined) return answer(await onCollection(world, call, target));
  if (subresource !== undefined && !hasSubresource(target, subresource)) return noSubresource({ ...target, name });
  if (subresource === 'exec') return failureResponse(badRequest('Upgrade request required'));
  return answer(await onObject(world, call, { ...target, name }));
}

/** Groups of the server itself answer a Status, those of custom kinds and all else plain text. */
function nothingThere({ registry }: World, call: Call): SimResponse {
  if (SERVER_DOCUMENTS.test(call.pathname) && call.method !== 'GET') return failureResponse(methodNotAllowed());
  const group = /^\/apis\/([^/]+)/u.exec(call.pathname)?.[1] ?? (call.pathname.startsWith('/api/') ? '' : undefined);
  const isBuiltin = registry.all.some((type) => type.group === group && !type.custom);
  return isBuiltin ? failureResponse(noSuchResource()) : pageNotFound();
}

const SERVER_DOCUMENTS = /^\/(api|apis|version|openapi\/v3)\/?$/u;

/** Of a custom object no such part is found, and so not the object. */
function noSubresource({ type, name }: NamedTarget): SimResponse {
  return failureResponse(type.custom ? notFound(type, name) : noSuchResource());
}

function hasSubresource({ type }: Target, subresource: string): boolean {
  if (subresource === 'status') return type.statusSubresource;
  if (type.group !== '') return false;
  return (
    (type.plural === 'pods' && subresource === 'exec') || (type.plural === 'namespaces' && subresource === 'finalize')
  );
}

async function onCollection(world: World, call: Call, target: Target): Promise<Result<SimResponse>> {
  switch (call.method) {
    case 'GET':
      return flag(call, 'watch') ? watch(world, call, target) : list(world, call, target);
    case 'POST':
      return written(world, call, target, await create(world, call, target));
    case 'DELETE':
      return isNamespaces(target.type) ? methodNotAllowed() : deleteAll(world, call, target);
    case 'PUT':
    case 'PATCH':
      return target.type.custom ? badRequest('name must be provided') : methodNotAllowed();
    default:
      return methodNotAllowed();
  }
}

async function deleteAll(world: World, call: Call, target: Target): Promise<Result<SimResponse>> {
  const removed = await removeAll(world, call, target);
  if (!removed.ok) return removed;
  const encoder = encoderOf(call, target, () => world.clock.now());
  if (!encoder.ok) return encoder;
  return ok(200, encoder.value.many(removed.value, { resourceVersion: String(world.store.version) }));
}

/** An object is read, even where a watch is asked for: only collections are watched. */
async function onObject(world: World, call: Call, target: NamedTarget): Promise<Result<SimResponse>> {
  const { type, subresource } = target;
  const refused = (verb: string) => (type.custom ? verbNotSupported(type, verb) : methodNotAllowed());
  switch (call.method) {
    case 'GET':
      return get(world, call, target);
    case 'PUT':
      return written(world, call, target, await put(world, call, target));
    case 'PATCH':
      return written(world, call, target, await patch(world, call, target));
    case 'DELETE':
      if (subresource !== undefined) return refused('delete');
      return written(world, call, target, await remove(world, call, target));
    case 'POST':
      if (subresource !== undefined || !type.custom) return refused('create');
      return written(world, call, target, await create(world, call, target));
    default:
      return methodNotAllowed();
  }
}

function written(world: World, call: Call, target: Target, result: Result<Written>): Result<SimResponse> {
  if (!result.ok) return result;
  const { code, object, warnings } = result.value;
  const encoder = encoderOf(call, target, () => world.clock.now());
  if (!encoder.ok) return encoder;
  return ok(code, object['kind'] === 'Status' ? object : encoder.value.one(object), warnings);
}

function ok(code: number, body: JsonObject, warnings: readonly string[] = []): Result<SimResponse> {
  return { ok: true, value: jsonResponse(code, body, warnings) };
}

function answer(result: Result<SimResponse>): SimResponse {
  return result.ok ? result.value : failureResponse(result);
}
