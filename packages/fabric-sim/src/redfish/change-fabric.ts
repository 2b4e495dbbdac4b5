import type { Reply, SimRequest } from '../core/http.ts';
import { parseJson } from '../core/decode.ts';
import type { Effect } from '../faults/effect.ts';
import { at } from './change-blocks.ts';
import { run } from './changes.ts';
import type { Connection } from './connections.ts';
import type { RedfishContext } from './context.ts';
import { missing, redfishError } from './errors.ts';
import type { RedfishState } from './state.ts';
import { DOMAINS, FABRIC, initiatorUri, lastSegment } from './uris.ts';

const CHUNK = new RegExp(`^${DOMAINS}/([^/]+)/MemoryChunks/([^/]+)$`);

/** What a POST of a connection asks for, or why it cannot be. `id` is for one that names none. */
export function readConnection(
  state: RedfishState,
  request: SimRequest,
  id: string,
):
  { readonly tag: 'connection'; readonly connection: Connection } | { readonly tag: 'refused'; readonly reply: Reply } {
  const parsed = parseJson(request.body ?? '');
  if (parsed.tag === 'failed') return refused(400, 'Base.1.18.MalformedJSON', 'The request body is not JSON.');
  const body = parsed.value;
  const initiators = uris(at(at(body, 'Links'), 'InitiatorEndpoints'));
  const targets = uris(at(at(body, 'Links'), 'TargetEndpoints'));
  const machine = state.pool.machines().find(({ machUuid }) => initiators.includes(initiatorUri(machUuid)));
  const [target] = targets;
  if (machine === undefined || target === undefined) {
    return refused(400, 'Base.1.18.PropertyMissing', 'A connection needs an initiator and a target endpoint.');
  }
  const info = at(body, 'MemoryChunkInfo');
  const chunks = (Array.isArray(info) ? info : []).flatMap((one) => uris([at(one, 'MemoryChunk')]));
  const named = at(body, 'Id');
  const own = typeof named === 'string' ? named : id;
  const gpu = state.pool.device(lastSegment(target));
  const resUuid = chunks.length === 0 ? gpu?.resUuid : own;
  if (resUuid === undefined) return refused(400, 'Base.1.18.ResourceMissingAtURI', 'There is no such target endpoint.');
  const fields = typeof body === 'object' && body !== null ? { ...body } : {};
  const connection = { id: own, machine: machine.machUuid, targets, chunks, resUuid, body: { ...fields, Id: own } };
  return { tag: 'connection', connection };
}

function refused(status: number, id: string, message: string) {
  return { tag: 'refused', reply: redfishError(status, id, message) } as const;
}

function uris(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map((item) => at(item, '@odata.id')).filter((uri): uri is string => typeof uri === 'string');
}

/** Why a connection cannot be made, if it cannot. */
export function conflictOf(state: RedfishState, { id, targets, chunks, resUuid }: Connection): Reply | undefined {
  if (state.connections.get(id) !== undefined) {
    return redfishError(409, 'Base.1.18.ResourceAlreadyExists', `A Connection with the Id '${id}' exists already.`);
  }
  const missingChunk = chunks.some((uri) => chunkAt(state, uri) === undefined);
  if (missingChunk) return redfishError(400, 'Base.1.18.ResourceMissingAtURI', 'There is no such memory chunk.');
  const isTaken = targets.some((uri) => state.connections.using(uri) !== undefined);
  const isHeld = chunks.length === 0 && state.pool.placement(resUuid).tag !== 'free';
  if (isTaken || isHeld) return redfishError(409, 'Base.1.18.ResourceInUse', 'The target endpoint is in use.');
  return undefined;
}

/** Makes a connection: its device is on the machine from then on. */
export function connect(state: RedfishState, connection: Connection): void {
  const { pool, connections } = state;
  const { machine, chunks, resUuid } = connection;
  connections.add(connection);
  if (chunks.length === 0) {
    pool.move(resUuid, machine);
    return;
  }
  const sizeMiB = chunks.reduce((sum, uri) => sum + (chunkAt(state, uri)?.sizeMiB ?? 0), 0);
  pool.add({ type: 'cxlmemory', model: `${sizeMiB} MiB`, serial: '', resUuid, machine, memoryMiB: sizeMiB });
}

/** Ends a connection: its device goes back. */
export function disconnect(state: RedfishState, { id, chunks, resUuid }: Connection): void {
  state.connections.delete(id);
  if (chunks.length === 0) state.pool.move(resUuid, undefined);
  else state.pool.remove(resUuid);
}

/** The chunk at a URI. */
export function chunkAt({ memory }: RedfishState, uri: string) {
  const [, domain, id] = CHUNK.exec(uri) ?? [];
  return domain === undefined || id === undefined ? undefined : memory.chunk(domain, id);
}

/** POST of a connection. */
export function postConnection(
  context: RedfishContext,
  request: SimRequest,
  id: string,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const { state } = context;
  const read = readConnection(state, request, id);
  if (read.tag === 'refused') return read.reply;
  const { connection } = read;
  const wrong = conflictOf(state, connection);
  if (wrong !== undefined) return wrong;
  const change = {
    machine: connection.machine,
    ms: context.attachMs(),
    take: () => conflictOf(state, connection),
    make: (): Reply => {
      connect(state, connection);
      const uri = `${FABRIC}/Connections/${connection.id}`;
      return { tag: 'json', status: 201, body: { ...connection.body, '@odata.id': uri }, headers: { location: uri } };
    },
    giveUp: () => undefined,
  };
  return run(context, request, change, effects);
}

/** DELETE of a connection. */
export function deleteConnection(
  context: RedfishContext,
  request: SimRequest,
  id: string,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const { state } = context;
  const uri = `${FABRIC}/Connections/${id}`;
  const connection = state.connections.get(id);
  if (connection === undefined) return missing(uri);
  const change = {
    machine: connection.machine,
    ms: context.detachMs(),
    take: () => (state.connections.get(id) === undefined ? missing(uri) : undefined),
    make: (): Reply => {
      disconnect(state, connection);
      return { tag: 'empty', status: 204 };
    },
    giveUp: () => undefined,
  };
  return run(context, request, change, effects);
}
