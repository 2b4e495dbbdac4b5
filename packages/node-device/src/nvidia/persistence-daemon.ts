import type { WarningLog } from '../no-node-actions.ts';
import { startPersistenced } from './commands.ts';
import type { Look } from './parse/looks.ts';
import type { Failed, Session } from './session.ts';

/**
 * The persistence daemons in containers of drivers. A drain ends that of its node, as it lets go of a GPU in no other way; whoever is
 * the last to have something to do on the node starts it again for the GPUs that are there.
 */
export class PersistenceDaemons {
  readonly #log: WarningLog;
  readonly #missedOn = new Set<string>();

  constructor(log: WarningLog) {
    this.#log = log;
  }

  /** Notes what a drain has seen on a node. */
  note(node: string, { persistenced, gpus }: Look): void {
    if (persistenced === 'killed' && gpus.length > 0) this.#missedOn.add(node);
    else this.#missedOn.delete(node);
  }

  /**
   * Starts the daemon of a node where it is missed. `lost`: nobody knows what became of that, nor of the node; a drain looks at it and
   * tries once more, and after that the end of the next action there does. That it does not start is told in the log; the next drain sees it.
   */
  async restore(node: string, session: Session): Promise<'ended' | 'lost'> {
    if (!this.#missedOn.has(node)) return 'ended';
    const command = startPersistenced();
    const ran = await session.run(command);
    if (ran.tag === 'failed') {
      this.#warn(ran);
      return 'lost';
    }
    this.#missedOn.delete(node);
    if (ran.code !== 0) this.#warn(session.failed(command, 'Busy', `exit code ${ran.code}, ${ran.text}`));
    return 'ended';
  }

  /** The node is gone. */
  forget(node: string): void {
    this.#missedOn.delete(node);
  }

  #warn({ failure }: Failed): void {
    this.#log.warn(`${failure.message}; the GPUs of the node are slower to open until it runs`);
  }
}
