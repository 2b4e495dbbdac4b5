import type { NodeOutcome } from '../outcomes.ts';
import { findHostDriver } from './commands.ts';
import type { Session } from './session.ts';

/** Whether a node has NVIDIA's driver. A container that is there to run it does; a host is asked, once for each pod of the agent. */
export class DriverCheck {
  /** By node, the pod through which its host was found to have one. */
  readonly #foundBy = new Map<string, string>();

  /** Checks it in the place where the driver is reached. */
  async check(node: string, session: Session): Promise<NodeOutcome> {
    const { driver, namespace, pod } = session.place;
    const place = `${namespace}/${pod}`;
    if (driver === 'container' || this.#foundBy.get(node) === place) return { tag: 'done' };
    const command = findHostDriver(session.place);
    const ran = await session.run(command);
    if (ran.tag === 'failed') return ran;
    if (ran.code !== 0) {
      const why = `the host has no module nvidia (${ran.text}). Install NVIDIA's driver there, or let the GPU operator bring it.`;
      return session.failed(command, 'Blocked', why);
    }
    this.#foundBy.set(node, place);
    return { tag: 'done' };
  }

  /** The node is gone. */
  forget(node: string): void {
    this.#foundBy.delete(node);
  }
}
