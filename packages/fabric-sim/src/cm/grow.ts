import { delay } from '@cro/clock';
import type { Reply } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import { spend } from '../fm/changes.ts';
import type { Device, Machine } from '../pool/device.ts';
import { accept } from './accept.ts';
import type { Grow } from './bodies.ts';
import { cmError, type CmContext } from './context.ts';
import { specsOf } from './specs.ts';

/** Takes what is missing from the pool at once, answers, and attaches it afterwards, one device after the other. */
export function grow(context: CmContext, machine: Machine, wanted: Grow, effects: readonly Effect[]): Reply {
  const { pool, book, maxPerSpec } = context;
  const spec = specsOf(pool).find(({ specUuid }) => specUuid === wanted.spec_uuid);
  if (spec === undefined) return cmError(404, 'resource spec not found');
  const present = book.count(machine.machUuid, spec);
  const more = wanted.device_count - present;
  if (more < 1) return cmError(400, `device_count is ${wanted.device_count}, and there are ${present} already`);
  if (wanted.device_count > maxPerSpec) return cmError(400, `device_count is above max_resspec_count (${maxPerSpec})`);
  const extra = effectsOf(effects, 'surplus').reduce((sum, { count }) => sum + count, 0);
  const exhausted = effectsOf(effects, 'exhausted').length > 0;
  const devices = exhausted ? undefined : pool.reserve(machine, [{ ...spec, count: more + extra }]);
  if (devices === undefined) return cmError(404, 'available resource not found');
  const reply = accept(context, machine, () => bring(context, machine, devices, effects));
  if (reply === undefined) {
    for (const { resUuid } of devices) pool.move(resUuid, undefined);
    return cmError(409, `another resize of machine ${machine.machUuid} is under way`);
  }
  const listed = effectsOf(effects, 'unlistedFor').length === 0;
  for (const { resUuid } of devices) book.mark(resUuid, { machine: machine.machUuid, status: 'ADDING', listed });
  return reply;
}

async function bring(
  context: CmContext,
  machine: Machine,
  devices: readonly Device[],
  effects: readonly Effect[],
): Promise<void> {
  for (const { ms } of effectsOf(effects, 'unlistedFor')) await delay(context.clock, ms);
  for (const { resUuid } of devices) context.book.mark(resUuid, { machine: machine.machUuid, status: 'ADDING' });
  for (const device of devices) {
    await spend(context.clock, context.attachMs());
    settle(context, machine, device, effects);
  }
}

/** A device arrives, or its add fails: then it stays listed and reserved, or goes back to the pool without a word. */
function settle({ pool, book }: CmContext, machine: Machine, { resUuid }: Device, effects: readonly Effect[]): void {
  const [failure] = effectsOf(effects, 'resizeFails');
  if (failure !== undefined && failure.vanishes !== true) {
    book.mark(resUuid, { machine: machine.machUuid, status: 'ADD_FAILED', reason: failure.reason });
    return;
  }
  for (const { opStatus } of effectsOf(effects, 'arrive')) pool.setOpStatus(resUuid, opStatus);
  book.clear(resUuid);
  pool.move(resUuid, failure === undefined ? machine.machUuid : undefined);
}
