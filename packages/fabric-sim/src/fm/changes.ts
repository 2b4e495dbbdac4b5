import { delay, type Clock } from '@cro/clock';
import type { TSchema, Static } from 'typebox';
import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import { readJson, type Read } from '../core/read-json.ts';
import type { Machine } from '../pool/device.ts';
import type { FmContext } from './context.ts';
import { fmError } from './errors.ts';

interface Frame {
  readonly tenants: { readonly tenant_uuid: string; readonly machines: readonly [{ readonly mach_uuid: string }] };
}

/** Reads the body of a change and checks that it speaks of the same tenant and machine as the path. */
export function readChange<Schema extends TSchema>(
  schema: Static<Schema> extends Frame ? Schema : never,
  request: SimRequest,
  tenant: string,
  machine: Machine,
): Read<Static<Schema>> {
  if (!(headerOf(request, 'content-type') ?? '').startsWith('application/json')) {
    return { tag: 'failed', reason: 'Content-Type must be application/json' };
  }
  const body = readJson(schema, request.body ?? '', 'body');
  if (body.tag === 'failed') return body;
  const frame: Frame = body.value;
  const named = frame.tenants.machines[0].mach_uuid;
  if (frame.tenants.tenant_uuid !== tenant) {
    return { tag: 'failed', reason: 'body/tenants/tenant_uuid is another tenant than the query names' };
  }
  if (named !== machine.machUuid) {
    return { tag: 'failed', reason: 'body/tenants/machines/0/mach_uuid is another machine than the path names' };
  }
  return body;
}

/** Runs a change when its machine is free; a machine that is busy queues it or refuses it, as the simulator was told. */
export async function inLane(context: FmContext, machine: Machine, work: () => Promise<Reply>): Promise<Reply> {
  const reply = await context.lanes.run(machine.machUuid, work);
  return reply ?? fmError(409, `another change of machine ${machine.machUuid} is under way`);
}

/** Lets the fabric work for so many milliseconds. */
export async function spend(clock: Clock, ms: number): Promise<void> {
  if (ms > 0) await delay(clock, ms);
}
