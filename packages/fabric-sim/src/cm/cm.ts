import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import { readJson } from '../core/read-json.ts';
import type { Effect } from '../faults/effect.ts';
import type { Machine } from '../pool/device.ts';
import { GrowBodySchema, ShrinkBodySchema } from './bodies.ts';
import { cmError, refuseEntry, type CmContext } from './context.ts';
import { grow } from './grow.ts';
import { shrink } from './shrink.ts';
import { machineView } from './views.ts';

const MACHINE = new RegExp(
  '^/cluster_manager/cluster_autoscaler/v3/tenants/([^/]+)/clusters/([^/]+)/machines/([^/]+)(/actions/resize)?$',
);

type OnMachine = (machine: Machine, effects: readonly Effect[]) => Reply;

/** The Cluster Manager's API as its clients use it: one read, and a resize that is accepted and done later. */
export function createCm(context: CmContext): Protocol {
  return {
    route(request, url) {
      const match = MACHINE.exec(url.pathname);
      if (match === null) return undefined;
      const [tenant, cluster, machUuid] = match.slice(1, 4).map((segment) => decodeSegment(segment));
      if (machUuid === undefined) return undefined;
      const { kind, work } = workOf(context, request, match[4] ?? '');
      const perform = (effects: readonly Effect[]) => {
        const refused = refuseEntry(context, request, tenant, cluster);
        if (refused !== undefined) return refused;
        const machine = context.pool.machine(machUuid);
        return machine === undefined ? cmError(404, 'machine not found') : work(machine, effects);
      };
      return { kind, machine: machUuid, perform };
    },
  };
}

function workOf(
  context: CmContext,
  request: SimRequest,
  tail: string,
): { readonly kind: Call['kind']; readonly work: OnMachine } {
  switch (`${request.method} ${tail}`) {
    case 'GET ':
      return {
        kind: 'get',
        work: (machine) => ({ tag: 'json', status: 200, body: machineView(context, machine) }),
      };
    case 'POST /actions/resize':
      return resizeOf(context, request.body ?? '');
    default:
      return { kind: 'other', work: () => cmError(405, `method ${request.method} is not known on this path`) };
  }
}

function resizeOf(context: CmContext, body: string): { readonly kind: Call['kind']; readonly work: OnMachine } {
  const more = readJson(GrowBodySchema, body, 'body');
  if (more.tag === 'value') {
    const wanted = more.value.increase_resource_count;
    return { kind: 'attach', work: (machine, effects) => grow(context, machine, wanted, effects) };
  }
  const fewer = readJson(ShrinkBodySchema, body, 'body');
  if (fewer.tag === 'value') {
    const wanted = fewer.value.remove_resources;
    return { kind: 'detach', work: (machine, effects) => shrink(context, machine, wanted, effects) };
  }
  return { kind: 'other', work: () => cmError(400, `${more.reason}; ${fewer.reason}`) };
}
