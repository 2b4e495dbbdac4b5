import { delay } from '@cro/clock';
import type { Reply, SimRequest } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import type { RedfishContext } from './context.ts';
import { redfishError } from './errors.ts';
import { endedTask } from './tasks.ts';

/** A change that has been understood. */
export interface Change {
  /** The machine that it is about, by its UUID. */
  readonly machine: string;
  readonly ms: number;
  /** Checks once more, now that the machine is free, and takes what is needed. A reply refuses. */
  readonly take: () => Reply | undefined;
  /** Makes the change. The reply is the service's answer. */
  readonly make: () => Reply;
  /** Gives back what was taken. */
  readonly giveUp: () => void;
}

/** Makes a change when its machine is free: at once, or as a task. */
export function run(
  context: RedfishContext,
  request: SimRequest,
  change: Change,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const work = context.lanes.run(change.machine, () => perform(context, change, effects));
  if (work === undefined) return redfishError(503, 'Base.1.18.ServiceTemporarilyUnavailable', 'The system is busy.');
  return context.asynchronous ? context.tasks.begin(request, work) : work;
}

async function perform(context: RedfishContext, change: Change, effects: readonly Effect[]): Promise<Reply> {
  const refused = change.take();
  if (refused !== undefined) return refused;
  if (change.ms > 0) await delay(context.clock, change.ms);
  const [end] = effectsOf(effects, 'endTask');
  if (end === undefined) return change.make();
  change.giveUp();
  return endedTask(end.state);
}
