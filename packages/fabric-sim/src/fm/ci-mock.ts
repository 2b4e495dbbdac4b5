import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import { readJson } from '../core/read-json.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import type { Machine } from '../pool/device.ts';
import { AttachBodySchema, ConditionSchema, DetachBodySchema } from './bodies.ts';
import { mockDetail, mockMachine, mockToken } from './ci-mock-views.ts';
import { HandedOut } from './handed-out.ts';
import type { FmContext } from './context.ts';

const ROOT = '/fabric_manager/api/v1/machines';
const MACHINE = new RegExp(`^${ROOT}/([^/]+)(/update|/available-reserved-resources)?$`);
const TOKEN = /^\/id_manager\/realms\/[^/]+\/protocol\/openid-connect\/token$/;

/**
 * FM as CoHDI's mock plays it (CoHDI/cohdi-ci-mock at 00e91bf, compared call by call): any credentials, token, tenant and query will
 * do, there is no CM, errors are `{error}`, and a detach is answered 200 whatever it names. What is on a machine at the start counts
 * as attached and as free at once, and is given out before anything else.
 */
export function createCiMock(context: FmContext): Protocol {
  const handedOut = new HandedOut(context.pool);
  return {
    route(request, url) {
      const { pathname } = url;
      if (TOKEN.test(pathname) && request.method === 'POST') return { kind: 'token', perform: () => ok(mockToken) };
      if (pathname === ROOT && request.method === 'GET') return { kind: 'list', perform: () => listMachines(context) };
      const match = MACHINE.exec(pathname);
      const id = decodeSegment(match?.[1] ?? '');
      if (match === null || id === undefined) return { kind: 'other', perform: () => page(404, 'Not Found') };
      return routeMachine(context, handedOut, request, url, id, match[2] ?? '');
    },
  };
}

function routeMachine(
  context: FmContext,
  handedOut: HandedOut,
  request: SimRequest,
  url: URL,
  id: string,
  tail: string,
): Call {
  const machine = context.pool.machine(id);
  const call = (kind: Call['kind'], perform: Call['perform']): Call => ({ kind, machine: id, perform });
  switch (`${request.method} ${tail}`) {
    case 'GET ':
      return call('get', () => getMachine(context, machine));
    case 'GET /available-reserved-resources':
      return call('inventory', (effects) => countFree(handedOut, machine, url, effects));
    case 'PATCH /update':
      return call('attach', (effects) => attach(handedOut, machine, request, effects));
    case 'DELETE /update':
      return call('detach', () => detach(handedOut, machine, request));
    default:
      return { kind: 'other', perform: () => page(405, 'Method Not Allowed') };
  }
}

function listMachines({ pool }: FmContext): Reply {
  const machines = pool.machines().map(({ machUuid }) => mockMachine(machUuid, pool.attachedTo(machUuid)));
  return ok({ data: { machines } });
}

function getMachine({ pool }: FmContext, machine: Machine | undefined): Reply {
  if (machine === undefined) return refusal(404, 'machine not found');
  return ok({ data: { machines: [mockDetail(machine.machUuid, pool.attachedTo(machine.machUuid))] } });
}

function countFree(handedOut: HandedOut, machine: Machine | undefined, url: URL, effects: readonly Effect[]): Reply {
  const condition = readJson(ConditionSchema, url.searchParams.get('condition') ?? '', 'condition');
  if (condition.tag === 'failed') return refusal(400, 'invalid_parameter');
  const exhausted = machine === undefined || effectsOf(effects, 'exhausted').length > 0;
  return ok({ reserved_res_num_per_fabric: exhausted ? 0 : handedOut.countFree(machine, condition.value.value) });
}

function attach(
  handedOut: HandedOut,
  machine: Machine | undefined,
  request: SimRequest,
  effects: readonly Effect[],
): Reply {
  if (machine === undefined) return refusal(404, 'machine not found');
  const body = readJson(AttachBodySchema, request.body ?? '', 'body');
  const spec = body.tag === 'failed' ? undefined : body.value.tenants.machines[0].resources[0]?.res_specs[0];
  if (spec === undefined) return refusal(400, 'invalid_parameter');
  const exhausted = effectsOf(effects, 'exhausted').length > 0;
  const model = spec.res_spec.condition[0].value;
  const devices = exhausted ? undefined : handedOut.take(machine, model, spec.res_num);
  if (devices === undefined) return refusal(404, 'insufficient_resources');
  return ok({ data: { machines: [mockMachine(machine.machUuid, devices)] } });
}

function detach(handedOut: HandedOut, machine: Machine | undefined, request: SimRequest): Reply {
  const body = readJson(DetachBodySchema, request.body ?? '', 'body');
  const named = body.tag === 'failed' ? undefined : body.value.tenants.machines[0].resources[0]?.res_specs[0]?.res_uuid;
  if (machine !== undefined) handedOut.giveBack(machine, named);
  return ok({});
}

function ok(body: unknown): Reply {
  return { tag: 'json', status: 200, body };
}

function refusal(status: number, error: string): Reply {
  return { tag: 'json', status, body: { error } };
}

function page(status: number, title: string): Reply {
  return { tag: 'html', status, body: `<!doctype html>\n<html lang=en>\n<title>${status} ${title}</title>\n` };
}
