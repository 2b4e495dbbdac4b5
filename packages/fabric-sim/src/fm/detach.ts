import type { Reply, SimRequest } from '../core/http.ts';
import type { Machine } from '../pool/device.ts';
import { DetachBodySchema } from './bodies.ts';
import { inLane, readChange, spend } from './changes.ts';
import type { FmContext } from './context.ts';
import { fmError } from './errors.ts';
import { changedMachineView } from './views.ts';

/** DELETE update: gives devices of this machine back to the pool, and answers when the last one is there. */
export function detach(context: FmContext, machine: Machine, request: SimRequest): Promise<Reply> | Reply {
  const body = readChange(DetachBodySchema, request, context.tenant, machine);
  if (body.tag === 'failed') return fmError(400, body.reason);
  const specs = body.value.tenants.machines[0].resources.flatMap((resource) => resource.res_specs);
  const named = specs.map((spec) => ({ type: spec.res_type, resUuid: spec.res_uuid }));
  return inLane(context, machine, () => detachNow(context, machine, named));
}

async function detachNow(
  { pool, clock, tenant, detachMs, detachStatus }: FmContext,
  machine: Machine,
  named: readonly { readonly type: string; readonly resUuid: string }[],
): Promise<Reply> {
  const here = pool.attachedTo(machine.machUuid);
  const devices = here.filter((device) =>
    named.some((one) => one.resUuid === device.resUuid && one.type === device.type),
  );
  if (devices.length < named.length) return fmError(404, 'resource not found on this machine');
  for (const { resUuid } of devices) {
    await spend(clock, detachMs());
    pool.move(resUuid, undefined);
  }
  if (detachStatus === 204) return { tag: 'empty', status: 204 };
  return { tag: 'json', status: 200, body: { data: { machines: [changedMachineView(machine, tenant, devices)] } } };
}
