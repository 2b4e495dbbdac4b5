import type { Reply } from '../core/http.ts';
import { readJson } from '../core/read-json.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import type { Machine } from '../pool/device.ts';
import { ConditionSchema } from './bodies.ts';
import type { FmContext } from './context.ts';
import { fmError } from './errors.ts';
import { machineView } from './views.ts';

/** GET machines: every machine with what is attached to it. */
export function listMachines({ pool, tenant }: FmContext): Reply {
  const machines = pool.machines().map((machine) => machineView(machine, tenant, pool.attachedTo(machine.machUuid)));
  return { tag: 'json', status: 200, body: { data: { machines } } };
}

/** GET one machine: a list of one. */
export function getMachine({ pool, tenant }: FmContext, machine: Machine): Reply {
  const view = machineView(machine, tenant, pool.attachedTo(machine.machUuid));
  return { tag: 'json', status: 200, body: { data: { machines: [view] } } };
}

/** GET available-reserved-resources: how many devices that match `condition` (and `res_type`, if given) are free. */
export function countAvailable(context: FmContext, machine: Machine, url: URL, effects: readonly Effect[]): Reply {
  const text = url.searchParams.get('condition');
  if (text === null) return fmError(400, 'query parameter condition is missing');
  const condition = readJson(ConditionSchema, text, 'condition');
  if (condition.tag === 'failed') return fmError(400, condition.reason);
  const type = url.searchParams.get('res_type') ?? undefined;
  const exhausted = effectsOf(effects, 'exhausted').length > 0;
  const count = exhausted ? 0 : context.pool.countFree(machine, condition.value.value, type);
  return { tag: 'json', status: 200, body: { fabric_id: machine.fabricId, reserved_res_num_per_fabric: count } };
}
