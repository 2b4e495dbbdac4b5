import type { SimRequest, SimResponse } from '../base/http.ts';
import { failureResponse } from '../api/respond.ts';
import { route } from '../api/route.ts';
import type { World } from '../api/world.ts';
import { documents } from '../discovery/documents.ts';
import type { ExecScript } from '../exec/exec.ts';
import { checkExec, type ExecSession } from '../exec/exec-gate.ts';
import type { Attend } from './attend.ts';

/** Answers a request. Throws ConnectionCut where a fault breaks the connection. */
export type Handle = (request: SimRequest, signal: AbortSignal) => Promise<SimResponse>;

/** A command that may run, or the answer to a client that must not run it. */
export type ExecOpening =
  { readonly ok: true; readonly session: ExecSession } | { readonly ok: false; readonly response: SimResponse };

/** Opens a `pods/exec` request. Throws ConnectionCut where a fault breaks the connection. */
export type OpenExec = (request: SimRequest, signal: AbortSignal) => Promise<ExecOpening>;

/** Answers everything but upgrades: documents about the server, and resources. */
export function createHandle(world: World, attend: Attend): Handle {
  return (request, signal) =>
    attend(request, signal, (call) => {
      const document = call.method === 'GET' ? documents(world.registry, call) : undefined;
      return document === undefined ? route(world, call) : Promise.resolve(document);
    });
}

/** Opens commands, which are observed and struck by faults as other requests are. */
export function createOpenExec(world: World, attend: Attend, script: ExecScript | undefined): OpenExec {
  return async (request, signal) => {
    const opened: ExecSession[] = [];
    const response = await attend(request, signal, () => {
      const checked = checkExec(world, script, request);
      if (!checked.ok) return Promise.resolve(failureResponse(checked));
      opened.push(checked.value);
      return Promise.resolve({ status: 101, headers: {}, body: '' });
    });
    const [session] = opened;
    return session === undefined || response.status !== 101 ? { ok: false, response } : { ok: true, session };
  };
}
