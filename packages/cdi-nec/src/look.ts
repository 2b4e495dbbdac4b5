import type { AttachedDevice, CallContext, GoalLook, OperationTarget } from '@cro/cdi-core';
import { attachedOf } from './attached.ts';
import { readDevice, type Cdim } from './cdim.ts';
import { isUnlinked } from './gpu.ts';
import type { Notes } from './notes.ts';
import { isOn } from './where.ts';

/** Reads whether the device is where it should be. */
export async function look(cdim: Cdim, target: OperationTarget<Notes>, context: CallContext): Promise<GoalLook> {
  const read = await readDevice(cdim, target.cdiDeviceId, context);
  if (read.tag === 'failed') return read;
  const there = read.tag === 'resource' && isOn(read.resource, target.machine, target.notes.source);
  if (target.op === 'detach') return there ? { tag: 'notReached' } : reached(cdim, target);
  if (read.tag === 'unknown') {
    const message = `device '${target.cdiDeviceId}' is not known to CDIM any more`;
    return { tag: 'refused', failure: { kind: 'Conflict', message } };
  }
  if (there) return reached(cdim, target, attachedOf(read.resource, cdim.config));
  if (isUnlinked(read.resource.device) && (read.resource.nodeIDs ?? []).length === 0) return { tag: 'notReached' };
  const message = `device '${target.cdiDeviceId}' was taken by another machine`;
  return { tag: 'refused', failure: { kind: 'Conflict', message } };
}

function reached(
  { notebook, places }: Cdim,
  { op, cdiDeviceId, machine }: OperationTarget<Notes>,
  device?: AttachedDevice,
): GoalLook {
  // The hardware says so; configuration-manager may not show it yet.
  if (places.hwControl !== undefined) notebook.move(cdiDeviceId, op === 'attach' ? machine : undefined);
  return { tag: 'reached', ...(device === undefined ? {} : { device }) };
}
