import type { Call, CallKind, Protocol } from '../core/call.ts';
import { parseJson } from '../core/decode.ts';
import { headerOf, ConnectionLost, type Reply, type SimRequest } from '../core/http.ts';
import type { Effect } from '../faults/effect.ts';
import { at } from '../redfish/change-blocks.ts';
import type { Body } from '../redfish/entry.ts';
import { kindOfRead, machineIn } from '../redfish/reads.ts';
import { ROOT } from '../redfish/uris.ts';
import type { Agent } from './agent.ts';
import { crashed, notFound, text } from './replies.ts';
import { parentOf, type Store } from './store.ts';
import { managed } from './upload.ts';

/**
 * The file of URI aliases that the shipped start tree has. `absent`: all is well. `own`: the agent has an entry in it.
 * `foreign`: it has none. While the file is there, the server stumbles over its agent's answers after the agent has acted.
 */
export type Aliases = 'absent' | 'own' | 'foreign';

/** What the server works with. */
export interface ServerParts {
  readonly store: Store;
  readonly agent: Agent;
  readonly aliases: Aliases;
  readonly newId: () => string;
}

/** The Sunfish reference server: it stores JSON, and hands changes of what an agent manages on to it first. */
export function createSunfish(parts: ServerParts): Protocol {
  return {
    route(request, url) {
      const path = url.pathname;
      const uri = path.replace(/(?<=.)\/$/, '');
      if (uri !== ROOT && !uri.startsWith(`${ROOT}/`)) return undefined;
      const machine = machineIn(uri);
      const call = (kind: CallKind, perform: Call['perform']): Call => ({
        kind,
        ...(machine === undefined ? {} : { machine }),
        perform,
      });
      switch (request.method) {
        case 'GET':
          return call(kindOfRead(uri), () => read(parts, path, uri));
        case 'POST':
          return call('attach', (effects) => withBody(request, (body) => create(parts, request, uri, body, effects)));
        case 'PATCH':
          return call(patchKind(parts, request, uri), (effects) =>
            withBody(request, (body) => patch(parts, request, uri, body, effects)),
          );
        case 'DELETE':
          return call('detach', (effects) => remove(parts, request, uri, effects));
        default:
          return call('other', () => (request.method === 'PUT' ? crashed() : text(405, 'Method Not Allowed')));
      }
    },
  };
}

/** The root without its slash is not a path that the server knows. */
function read({ store }: ServerParts, path: string, uri: string): Reply {
  const body = path === ROOT ? undefined : store.get(uri);
  return body === undefined ? notFound(path) : { tag: 'json', status: 200, body };
}

function withBody(request: SimRequest, then: (body: Body) => Promise<Reply> | Reply): Promise<Reply> | Reply {
  if (!(headerOf(request, 'content-type') ?? '').startsWith('application/json')) {
    return text(415, '<!doctype html>\n<title>415 Unsupported Media Type</title>\n');
  }
  const parsed = parseJson(request.body ?? '');
  if (parsed.tag === 'failed' || typeof parsed.value !== 'object' || parsed.value === null) {
    return text(400, '<!doctype html>\n<title>400 Bad Request</title>\n');
  }
  return then({ ...parsed.value });
}

async function create(
  { store, agent, aliases, newId }: ServerParts,
  request: SimRequest,
  uri: string,
  given: Body,
  effects: readonly Effect[],
): Promise<Reply> {
  const isUnnamed = given['Id'] === undefined && given['@odata.id'] === undefined;
  const id = newId();
  const body: Body = isUnnamed ? { ...given, Id: id, '@odata.id': `${uri}/${id}` } : given;
  const type = body['@odata.type'];
  if (typeof type !== 'string') return text(400, 'Attribute not found: @odata.type.');
  if (type.includes('Collection')) return text(405, 'Collection not supported');
  const own = body['@odata.id'];
  if (typeof own !== 'string') return crashed();
  // A missing parent is logged, and then the object is stored all the same.
  const isManaged = agentOf(store.get(parentOf(uri)));
  if (isManaged) {
    const answer = await agent.handle(request, uri, body, effects);
    if (answer.tag === 'down') return crashed();
    if (answer.tag === 'refused') throw new ConnectionLost();
    if (aliases === 'foreign') return crashed();
  }
  const kept = isManaged ? { ...body, Oem: managed(body) } : body;
  if (!store.create(own, kept)) return text(409, `Resource ${own} already exists.`);
  return { tag: 'json', status: 200, body: kept };
}

async function patch(
  { store, agent, aliases }: ServerParts,
  request: SimRequest,
  uri: string,
  body: Body,
  effects: readonly Effect[],
): Promise<Reply> {
  const before = store.get(uri);
  if (before === undefined) return notFound(uri);
  if (isCollection(before)) throw new ConnectionLost();
  if (agentOf(before)) {
    if (body['@odata.id'] === undefined) return crashed();
    const answer = await agent.handle(request, uri, body, effects);
    if (answer.tag === 'down') return crashed();
    if (answer.tag === 'refused') throw new ConnectionLost();
    // The agent's answer has the mark of its manager only if the request had it.
    if (aliases === 'foreign' || (aliases === 'own' && !agentOf(body))) return crashed();
  }
  const after = { ...before, ...body };
  store.set(uri, after);
  return { tag: 'json', status: 200, body: after };
}

async function remove(
  { store, agent, aliases }: ServerParts,
  request: SimRequest,
  uri: string,
  effects: readonly Effect[],
): Promise<Reply> {
  const before = store.get(uri);
  if (before === undefined) return notFound(uri);
  if (isCollection(before)) throw new ConnectionLost();
  if (agentOf(before)) {
    const answer = await agent.handle(request, uri, {}, effects);
    if (answer.tag === 'down') return crashed();
    if (answer.tag === 'refused') throw new ConnectionLost();
    if (aliases !== 'absent') return crashed();
  }
  store.remove(uri);
  return text(200, `Object ${uri} deleted`);
}

/** A PATCH that takes a block out of a system counts as a detach. */
function patchKind({ store }: ServerParts, request: SimRequest, uri: string): CallKind {
  const parsed = parseJson(request.body ?? '');
  const wanted = parsed.tag === 'value' ? at(at(parsed.value, 'Links'), 'ResourceBlocks') : undefined;
  const present = at(store.get(uri)?.['Links'], 'ResourceBlocks');
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  return count(wanted) < count(present) ? 'detach' : 'attach';
}

function isCollection(body: Body): boolean {
  return String(body['@odata.type']).includes('Collection');
}

/** Whether an object is marked with an agent. */
function agentOf(body: Body | undefined): boolean {
  return at(at(body?.['Oem'], 'Sunfish_RM'), 'ManagingAgent') !== undefined;
}
