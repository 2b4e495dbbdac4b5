import { describe, type Moment, type Side } from './gate.ts';

/** A request on an object's way, without the side on which it is held. */
export type Step = Omit<Moment, 'side'>;

const READ_MACHINE = 'GET /fabric_manager/api/v1/machines/-';

/** What a leader asks for on the way of a request of one device to Running, in its order. */
export const ATTACH_STEPS: readonly Step[] = counted([
  'PATCH composabilityrequests',
  'PATCH composabilityrequests/status',
  'POST composableresources',
  READ_MACHINE,
  'PATCH composableresources/status',
  'PATCH /fabric_manager/api/v1/machines/-/update',
  'PATCH composableresources/status',
  'PATCH composableresources/status',
  'PATCH composabilityrequests/status',
]);

/** What it asks for on the way of that request, deleted, to its end. */
export const DETACH_STEPS: readonly Step[] = counted([
  'PATCH composabilityrequests/status',
  'DELETE composableresources',
  'PATCH composableresources/status',
  'POST devicetaintrules',
  READ_MACHINE,
  'PATCH composableresources/status',
  'DELETE /fabric_manager/api/v1/machines/-/update',
  'PATCH composableresources/status',
  'DELETE devicetaintrules',
  'PATCH composableresources',
  'PATCH composabilityrequests',
]);

/** The call that changes the fabric, and the read before it. */
export const ATTACH_CALL: Step = { label: 'PATCH /fabric_manager/api/v1/machines/-/update', nth: 1 };
export const MACHINE_READ = READ_MACHINE;

/** Numbers the requests of one kind. */
export function counted(labels: readonly string[]): readonly Step[] {
  return labels.map((label, at) => ({ label, nth: labels.slice(0, at + 1).filter((one) => one === label).length }));
}

/** The moments on these sides of each step, each with its words. */
export function momentsOf(steps: readonly Step[], sides: readonly Side[]): [string, Moment][] {
  return steps.flatMap((step) =>
    sides.map((side): [string, Moment] => {
      const moment = { ...step, side };
      return [describe(moment), moment];
    }),
  );
}

/**
 * Steps as they can be compared from run to run. A request's status copies how far its devices are, at most once a second: how often
 * that is depends on how fast the machine is.
 */
export function comparable(steps: readonly Step[]): readonly Step[] {
  return steps.filter(({ label }) => label !== 'PATCH composabilityrequests/status');
}
