import type { Clock } from '@cro/clock';
import type { Pool } from '../pool/pool.ts';

/**
 * What configuration-manager believes: a copy of where each device is, which follows the hardware only after a while, or only
 * when it is told to.
 */
export class View {
  readonly #pool: Pool;
  readonly #shown = new Map<string, string | undefined>();

  constructor(pool: Pool, clock: Clock, lagMs: () => number) {
    this.#pool = pool;
    pool.subscribe(({ device: { resUuid } }) => {
      const lag = lagMs();
      if (lag === 0) this.#copy(resUuid);
      else if (Number.isFinite(lag)) {
        clock.after(lag, () => {
          this.#copy(resUuid);
        });
      }
    });
    for (const { resUuid } of pool.devices()) this.#copy(resUuid);
  }

  /** The machine that a device is shown on. */
  machineOf(resUuid: string): string | undefined {
    return this.#shown.get(resUuid);
  }

  /** The devices that are shown on a machine. */
  on(machine: string): readonly string[] {
    return [...this.#shown].filter(([, where]) => where === machine).map(([resUuid]) => resUuid);
  }

  /** Shows everything as it is now, as the exporter's synchronisation does. */
  sync(): void {
    for (const resUuid of this.#shown.keys()) this.#copy(resUuid);
  }

  #copy(resUuid: string): void {
    const placement = this.#pool.placement(resUuid);
    this.#shown.set(resUuid, placement.tag === 'attached' ? placement.machine : undefined);
  }
}
