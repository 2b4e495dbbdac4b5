import type { NodeOutcome } from '../outcomes.ts';
import { findHostDriver } from './commands.ts';
import type { Session } from './session.ts';

/** Whether a node has NVIDIA's driver. A container that is there to run it does; a host is asked, once for each pod of the agent. */
export class DriverCheck {
  readonly #hostsWithDriver = new Set<string>();

  /** Checks it in the place where the driver is reached. */
  async check(session: Session): Promise<NodeOutcome> {
    const { driver, namespace, pod } = session.place;
    const key = `${namespace}/${pod}`;
    if (driver === 'container' || this.#hostsWithDriver.has(key)) return { tag: 'done' };
    const command = findHostDriver(session.place);
    const ran = await session.run(command);
    if (ran.tag === 'failed') return ran;
    if (ran.code !== 0) {
      const why = `the host has no module nvidia (${ran.text}). Install NVIDIA's driver there, or let the GPU operator bring it.`;
      return session.failed(command, 'Blocked', why);
    }
    this.#hostsWithDriver.add(key);
    return { tag: 'done' };
  }
}
