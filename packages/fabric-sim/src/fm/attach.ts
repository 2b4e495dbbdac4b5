import type { Reply, SimRequest } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import type { Device, Machine } from '../pool/device.ts';
import type { Wanted } from '../pool/pool.ts';
import { AttachBodySchema } from './bodies.ts';
import { inLane, readChange, spend } from './changes.ts';
import type { FmContext } from './context.ts';
import { fmError } from './errors.ts';
import { changedMachineView } from './views.ts';

/** PATCH update: takes devices from the pool, one after the other, and answers when the last one is attached. */
export function attach(
  context: FmContext,
  machine: Machine,
  request: SimRequest,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const body = readChange(AttachBodySchema, request, context.tenant, machine);
  if (body.tag === 'failed') return fmError(400, body.reason);
  const specs = body.value.tenants.machines[0].resources.flatMap((resource) => resource.res_specs);
  const wanted = specs.map((spec) => ({
    type: spec.res_type,
    model: spec.res_spec.condition[0].value,
    count: spec.res_num,
  }));
  return inLane(context, machine, () => attachNow(context, machine, wanted, effects));
}

async function attachNow(
  context: FmContext,
  machine: Machine,
  wanted: readonly Wanted[],
  effects: readonly Effect[],
): Promise<Reply> {
  const exhausted = effectsOf(effects, 'exhausted').length > 0;
  const devices = exhausted ? undefined : context.pool.reserve(machine, wanted);
  // The one answer that is known of the product for an attach that it cannot serve is a 404 in its error frame.
  if (devices === undefined) return fmError(404, 'available resource not found');
  const arrived = await bring(context, machine, devices, effects);
  const extra = await bringSurplus(context, machine, wanted, effects);
  const view = changedMachineView(machine, context.tenant, [...arrived, ...extra]);
  return { tag: 'json', status: 200, body: { data: { machines: [view] } } };
}

/** Attaches reserved devices one after the other. Answers them as they are now. */
async function bring(
  { pool, clock, attachMs }: FmContext,
  machine: Machine,
  devices: readonly Device[],
  effects: readonly Effect[],
): Promise<readonly Device[]> {
  for (const { resUuid } of devices) {
    await spend(clock, attachMs());
    for (const { opStatus } of effectsOf(effects, 'arrive')) pool.setOpStatus(resUuid, opStatus);
    pool.move(resUuid, machine.machUuid);
  }
  return devices.map((device) => pool.device(device.resUuid) ?? device);
}

/** Attaches devices that nobody asked for. Answers those that the reply shows. */
async function bringSurplus(
  context: FmContext,
  machine: Machine,
  wanted: readonly Wanted[],
  effects: readonly Effect[],
): Promise<readonly Device[]> {
  const shown: Device[] = [];
  for (const { count, inReply } of effectsOf(effects, 'surplus')) {
    const more = wanted.slice(0, 1).map((first) => ({ ...first, count }));
    const devices = await bring(context, machine, context.pool.reserve(machine, more) ?? [], effects);
    if (inReply === true) shown.push(...devices);
  }
  return shown;
}
