import type { Call, CallKind, Protocol } from '../core/call.ts';
import { parseJson } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import type { Effect } from '../faults/effect.ts';
import { SESSIONS } from './auth.ts';
import { at, changeBlocks, listIn, planOf, present, refuseMatch } from './change-blocks.ts';
import { deleteConnection, postConnection } from './change-fabric.ts';
import { deleteChunk, postChunk } from './change-memory.ts';
import type { RedfishContext } from './context.ts';
import { missing, redfishError } from './errors.ts';
import { kindOfRead, machineIn, read } from './reads.ts';
import { TaskBook } from './tasks.ts';
import { blockUri, DOMAINS, FABRIC, ROOT, SYSTEMS, systemUri } from './uris.ts';

const ACTION = new RegExp(`^${SYSTEMS}/([^/]+)/Actions/ComputerSystem\\.(Add|Remove)ResourceBlock$`);
const SYSTEM = new RegExp(`^${SYSTEMS}/([^/]+)$`);
const CHUNKS = new RegExp(`^${DOMAINS}/([^/]+)/MemoryChunks(?:/([^/]+))?$`);
const CONNECTIONS = new RegExp(`^${FABRIC}/Connections(?:/([^/]+))?$`);

type Perform = (effects: readonly Effect[]) => Promise<Reply> | Reply;

/** A Redfish service with composition, as DSP0266 and DSP2050 describe it. */
export function createRedfish(context: RedfishContext): Protocol {
  let made = 0;
  return {
    route(request, url) {
      const uri = url.pathname.replace(/(?<=.)\/$/, '');
      if (uri !== ROOT && !uri.startsWith(`${ROOT}/`)) return undefined;
      const call = (kind: CallKind, perform: Perform, machine = machineIn(uri)): Call => ({
        kind,
        ...(machine === undefined ? {} : { machine }),
        perform: (effects) => (uri === ROOT ? undefined : context.gate.refuse(request)) ?? perform(effects),
      });
      if (request.method === 'GET') return routeRead(context, uri, url, call);
      if (uri === SESSIONS) return { kind: 'token', perform: () => context.gate.open(request) };
      return (
        routeBlocks(context, uri, request, call) ??
        routeFabric(context, uri, request, () => String((made += 1)), call) ??
        call('other', () => redfishError(405, 'Base.1.18.OperationNotAllowed', 'The method is not allowed here.'))
      );
    },
  };
}

type MakeCall = (kind: CallKind, perform: Perform, machine?: string) => Call;

function routeRead(context: RedfishContext, uri: string, url: URL, call: MakeCall): Call {
  if (TaskBook.isMonitor(uri)) return call('poll', () => context.tasks.look(uri) ?? missing(uri));
  return call(kindOfRead(uri), () => read(context, uri, url));
}

function routeBlocks(context: RedfishContext, uri: string, request: SimRequest, call: MakeCall): Call | undefined {
  const { pool, style } = context.state;
  const [, acting, verb] = ACTION.exec(uri) ?? [];
  const [, patched] = SYSTEM.exec(uri) ?? [];
  const machine = acting ?? patched;
  if (machine === undefined || pool.machine(machine) === undefined) return undefined;
  if (acting !== undefined) {
    if (request.method !== 'POST' || style.composeBy !== 'action') return undefined;
    return call(verb === 'Add' ? 'attach' : 'detach', (effects) =>
      act(context, acting, verb === 'Add', request, effects),
    );
  }
  if (request.method !== 'PATCH' || style.composeBy !== 'patch') return undefined;
  const before = present(context, machine);
  const wanted = listIn(request, before);
  const kind = wanted !== undefined && planOf(before, wanted).removed.length > 0 ? 'detach' : 'attach';
  return call(kind, (effects) => {
    const refused = refuseMatch(context, request, systemUri(machine));
    if (refused !== undefined) return refused;
    const now = present(context, machine);
    const list = listIn(request, now);
    if (list === undefined) {
      return redfishError(400, 'Base.1.18.PropertyMissing', 'Links.ResourceBlocks must be a list of references.');
    }
    return changeBlocks(context, request, machine, planOf(now, list), effects);
  });
}

function act(
  context: RedfishContext,
  machine: string,
  adds: boolean,
  request: SimRequest,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const parsed = parseJson(request.body ?? '');
  const uri = parsed.tag === 'value' ? at(at(parsed.value, 'ResourceBlock'), '@odata.id') : undefined;
  if (typeof uri !== 'string') {
    return redfishError(400, 'Base.1.18.ActionParameterMissing', 'The action needs the parameter ResourceBlock.');
  }
  const now = present(context, machine);
  if (!adds && !now.includes(uri)) return missing(blockUri(uri));
  return changeBlocks(
    context,
    request,
    machine,
    adds ? planOf(now, [...now, uri]) : { added: [], removed: [uri] },
    effects,
  );
}

function routeFabric(
  context: RedfishContext,
  uri: string,
  { method, ...request }: SimRequest,
  newId: () => string,
  call: MakeCall,
): Call | undefined {
  const whole = { method, ...request };
  const [isChunk, domain = '', chunk] = CHUNKS.exec(uri) ?? [];
  const [isConnection, connection] = CONNECTIONS.exec(uri) ?? [];
  if (isChunk !== undefined && chunk === undefined && method === 'POST') {
    return call('attach', () => postChunk(context.state, domain, whole, newId()));
  }
  if (isChunk !== undefined && chunk !== undefined && method === 'DELETE') {
    return call('detach', () => deleteChunk(context.state, domain, chunk));
  }
  if (isConnection !== undefined && connection === undefined && method === 'POST') {
    return call('attach', (effects) => postConnection(context, whole, newId(), effects));
  }
  if (isConnection !== undefined && connection !== undefined && method === 'DELETE') {
    return call('detach', (effects) => deleteConnection(context, whole, connection, effects));
  }
  return undefined;
}
