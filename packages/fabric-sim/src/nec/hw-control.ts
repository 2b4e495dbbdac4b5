import { Type } from 'typebox';
import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import { readJson } from '../core/read-json.ts';
import type { NecContext } from './context.ts';
import { hardwareError } from './errors.ts';
import { deviceView } from './resource-bodies.ts';

const ROOT = '/cdim/api/v1';
const PATH = new RegExp(`^${ROOT}/(devices|cpu)/([^/]+)(/specs|/power|/aggregations|/is-os-ready)?$`);

const Power = Type.Object({ action: Type.Union([Type.Literal('on'), Type.Literal('off'), Type.Literal('reset')]) });
const Aggregation = Type.Object({
  action: Type.Union([Type.Literal('connect'), Type.Literal('disconnect')]),
  deviceID: Type.String({ minLength: 1 }),
});

/** The service that speaks with the hardware: what it answers is the truth. Also what a real layout-apply drives. */
export function createHwControl(context: NecContext): Protocol {
  return {
    route(request, url) {
      if (url.pathname === `${ROOT}/devices/sync` && request.method === 'POST') return synchronisation(context);
      const match = PATH.exec(url.pathname);
      const id = decodeSegment(match?.[2] ?? '');
      if (match === null || id === undefined) return undefined;
      return routeDevice(context, request, `${request.method} ${match[1] ?? ''}${match[3] ?? ''}`, id);
    },
  };
}

/** configuration-exporter's call: accepted at once, done after a while. */
function synchronisation({ clock, view, syncMs }: NecContext): Call {
  return {
    kind: 'steer',
    perform: () => {
      clock.after(syncMs(), () => {
        view.sync();
      });
      return { tag: 'json', status: 202, body: {} };
    },
  };
}

function routeDevice(context: NecContext, request: SimRequest, what: string, id: string): Call | undefined {
  switch (what) {
    case 'GET devices':
    case 'GET devices/specs':
      return { kind: 'get', perform: () => showDevice(context, id) };
    case 'PUT devices/power':
      return { kind: 'other', perform: () => switchPower(context, request, id) };
    case 'PUT cpu/aggregations':
      return { kind: 'other', machine: id, perform: () => aggregate(context, request, id) };
    case 'GET cpu/is-os-ready':
      return { kind: 'get', machine: id, perform: () => osReady(context, id) };
    default:
      return undefined;
  }
}

/** Whether the system of a CPU has started. layout-apply asks that of whatever it has switched on. */
function osReady({ pool }: NecContext, id: string): Reply {
  if (pool.machine(id) !== undefined) return { tag: 'json', status: 200, body: { status: true } };
  if (pool.device(id) !== undefined) return hardwareError(400, 'EF003BAS010', 'not supported');
  return hardwareError(404, 'EF013BAS000', 'no such device');
}

function showDevice(context: NecContext, id: string): Reply {
  const { pool } = context;
  const device = pool.device(id);
  if (device !== undefined) {
    const placement = pool.placement(id);
    const machine = placement.tag === 'attached' ? placement.machine : undefined;
    return { tag: 'json', status: 200, body: deviceView(context, device, machine) };
  }
  if (pool.machine(id) === undefined) return hardwareError(404, 'EF013BAS000', 'no such device');
  const links = pool.attachedTo(id).map(({ resUuid }) => ({ type: 'GPU', deviceID: resUuid }));
  const body = { deviceID: id, type: 'CPU', powerState: 'On', powerCapability: true, links };
  return { tag: 'json', status: 200, body };
}

function switchPower({ hardware, pool }: NecContext, request: SimRequest, id: string): Reply {
  const body = readJson(Power, request.body ?? '', 'body');
  if (body.tag === 'failed') return hardwareError(400, 'EF003BAS010', body.reason);
  if (pool.device(id) === undefined && pool.machine(id) === undefined) {
    return hardwareError(404, 'EF013BAS000', 'no such device');
  }
  if (body.value.action !== 'reset') hardware.setPower(id, body.value.action === 'on' ? 'On' : 'Off');
  return { tag: 'json', status: 200, body: {} };
}

function aggregate({ hardware }: NecContext, request: SimRequest, machine: string): Reply {
  const body = readJson(Aggregation, request.body ?? '', 'body');
  if (body.tag === 'failed') return hardwareError(400, 'EF003BAS010', body.reason);
  const answer = hardware.change(body.value.action, machine, body.value.deviceID);
  if (answer.tag === 'refused') return hardwareError(answer.statusCode, answer.code, answer.message);
  return { tag: 'json', status: 200, body: {} };
}
