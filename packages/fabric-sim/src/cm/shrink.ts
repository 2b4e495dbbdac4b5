import type { Reply } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import { spend } from '../fm/changes.ts';
import type { Machine } from '../pool/device.ts';
import { accept } from './accept.ts';
import type { Shrink } from './bodies.ts';
import type { CmDevice } from './book.ts';
import { cmError, type CmContext } from './context.ts';
import { specsOf, type Spec } from './specs.ts';

/** Gives the named devices back to the pool, after the answer. A device whose add failed can be taken back, too. */
export function shrink(context: CmContext, machine: Machine, wanted: Shrink, effects: readonly Effect[]): Reply {
  const { pool, book } = context;
  const spec = specsOf(pool).find(({ specUuid }) => specUuid === wanted.spec_uuid);
  if (spec === undefined) return cmError(404, 'resource spec not found');
  const named = book.devices(machine.machUuid, spec).filter(({ device }) => wanted.devices.includes(device.serial));
  if (named.length < wanted.devices.length) return cmError(404, 'device not found on this machine');
  const left = book.count(machine.machUuid, spec) - named.length;
  if (wanted.device_count !== left)
    return cmError(400, `device_count is ${wanted.device_count}, and ${left} would be left`);
  if (named.some(({ status }) => status === 'ADDING' || status === 'REMOVING')) {
    return cmError(409, 'a named device is under way');
  }
  const reply = accept(context, machine, () => takeAway(context, machine, spec, named, effects));
  if (reply === undefined) return cmError(409, `another resize of machine ${machine.machUuid} is under way`);
  for (const { device } of named) book.mark(device.resUuid, { machine: machine.machUuid, status: 'REMOVING' });
  return reply;
}

async function takeAway(
  context: CmContext,
  machine: Machine,
  spec: Spec,
  named: readonly CmDevice[],
  effects: readonly Effect[],
): Promise<void> {
  const { pool, book, clock } = context;
  const [failure] = effectsOf(effects, 'resizeFails');
  for (const { device } of named) {
    await spend(clock, context.detachMs());
    if (failure !== undefined && failure.vanishes !== true) {
      book.mark(device.resUuid, { machine: machine.machUuid, status: 'REMOVE_FAILED', reason: failure.reason });
      continue;
    }
    book.clear(device.resUuid);
    const gone = effectsOf(effects, 'wrongDevice').length > 0 ? another(context, machine, spec, named) : device.resUuid;
    if (failure === undefined && gone !== undefined && !isElsewhere(context, machine, gone)) pool.move(gone, undefined);
  }
}

/** A device of the same spec that was not named. */
function another({ book }: CmContext, machine: Machine, spec: Spec, named: readonly CmDevice[]): string | undefined {
  const others = book.devices(machine.machUuid, spec).map(({ device }) => device.resUuid);
  return others.find((resUuid) => !named.some(({ device }) => device.resUuid === resUuid));
}

/** Moved by hand while CM was at work: it is no longer CM's to take. */
function isElsewhere({ pool }: CmContext, machine: Machine, resUuid: string): boolean {
  const placement = pool.placement(resUuid);
  return placement.tag === 'free' || placement.machine !== machine.machUuid;
}
