import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import type { Machine } from '../pool/device.ts';
import type { Effect } from '../faults/effect.ts';
import { attach } from './attach.ts';
import { refuseEntry, type FmContext } from './context.ts';
import { detach } from './detach.ts';
import { fmError } from './errors.ts';
import { countAvailable, getMachine, listMachines } from './reads.ts';

const ROOT = '/fabric_manager/api/v1/machines';
const MACHINE = new RegExp(`^${ROOT}/([^/]+)(/update|/available-reserved-resources)?$`);

/** The Fabric Manager's API as its clients use it. */
export function createFm(context: FmContext): Protocol {
  return {
    route(request, url) {
      if (url.pathname === ROOT) return routeList(context, request, url);
      const match = MACHINE.exec(url.pathname);
      const machUuid = decodeSegment(match?.[1] ?? '');
      if (match === null || machUuid === undefined) return undefined;
      return routeMachine(context, request, url, machUuid, match[2] ?? '');
    },
  };
}

function routeList(context: FmContext, request: SimRequest, url: URL): Call {
  if (request.method !== 'GET') return wrongMethod(request);
  return { kind: 'list', perform: () => refuseEntry(context, request, url) ?? listMachines(context) };
}

type OnMachine = (machine: Machine, effects: readonly Effect[]) => Promise<Reply> | Reply;

function routeMachine(context: FmContext, request: SimRequest, url: URL, machUuid: string, tail: string): Call {
  const call = (kind: Call['kind'], work: OnMachine): Call => ({
    kind,
    machine: machUuid,
    perform: (effects) => {
      const refused = refuseEntry(context, request, url);
      if (refused !== undefined) return refused;
      const machine = context.pool.machine(machUuid);
      return machine === undefined ? fmError(404, 'machine not found') : work(machine, effects);
    },
  });
  switch (`${request.method} ${tail}`) {
    case 'GET ':
      return call('get', (machine) => getMachine(context, machine));
    case 'GET /available-reserved-resources':
      return call('inventory', (machine, effects) => countAvailable(context, machine, url, effects));
    case 'PATCH /update':
      return call('attach', (machine, effects) => attach(context, machine, request, effects));
    case 'DELETE /update':
      return call('detach', (machine) => detach(context, machine, request));
    default:
      return wrongMethod(request);
  }
}

function wrongMethod(request: SimRequest): Call {
  return { kind: 'other', perform: () => fmError(405, `method ${request.method} is not known on this path`) };
}
