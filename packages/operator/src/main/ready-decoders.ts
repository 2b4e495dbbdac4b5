import { delay, type Clock } from '@cro/clock';
import type { Kind, KubeObject } from '@cro/kube-runtime';

/**
 * Compiles what the objects of these kinds are read with, one kind in a turn of the event loop. It would be done with the first object
 * of each otherwise, and those come together when there is much to do.
 */
export async function readyDecoders(kinds: readonly Pick<Kind<KubeObject>, 'decode'>[], clock: Clock): Promise<void> {
  for (const { decode } of kinds) {
    await delay(clock, 0);
    decode(undefined);
  }
}
