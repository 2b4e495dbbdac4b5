import type { Reply } from '../core/http.ts';
import type { Machine } from '../pool/device.ts';
import type { CmContext } from './context.ts';

/** Accepts a resize and works on it when its machine is free. `undefined`: the machine is busy, and busy machines refuse. */
export function accept(
  { lanes, resizeStatus }: CmContext,
  machine: Machine,
  work: () => Promise<void>,
): Reply | undefined {
  const running = lanes.run(machine.machUuid, work);
  if (running === undefined) return undefined;
  // Nobody waits for it: a bug in it must not go unseen, so nothing is caught.
  void running;
  return { tag: 'empty', status: resizeStatus };
}
