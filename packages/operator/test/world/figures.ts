import type { CallKind, FabricSim } from '@cro/fabric-sim';
import type { KubeSim, SeenRequest } from '@cro/kube-sim';
import { USER_AGENT } from './names.ts';

/** Counts what the operator asks of the API server and of the fabric. */
export class Figures {
  readonly #fabric: FabricSim;
  #seen: SeenRequest[] = [];

  constructor(kube: KubeSim, fabric: FabricSim) {
    this.#fabric = fabric;
    kube.observe((seen) => {
      if (seen.userAgent === USER_AGENT) this.#seen.push(seen);
    });
  }

  /** The operator's writes since the last `forget`, events included. */
  writes(): readonly string[] {
    return this.#seen
      .filter((seen) => seen.isWrite)
      .map(({ verb, resource, subresource, status }) => {
        const what = subresource === undefined ? resource : `${resource ?? ''}/${subresource}`;
        return `${verb} ${what ?? ''} ${status ?? 'cut'}`;
      });
  }

  /** The operator's requests since the last `forget`, watches left out. */
  requests(): readonly SeenRequest[] {
    return this.#seen.filter(({ verb }) => verb !== 'watch');
  }

  /** Forgets what was counted. */
  forget(): void {
    this.#seen = [];
  }

  /** Runs something and tells how many calls of each kind it cost the fabric; kinds without a call are left out. */
  async fabricCallsOf(work: () => Promise<unknown>): Promise<Partial<Record<CallKind, number>>> {
    const before = this.#fabric.calls();
    await work();
    const entries = Object.entries(this.#fabric.calls()) as [CallKind, number][];
    return Object.fromEntries(
      entries.map(([kind, count]) => [kind, count - before[kind]] as const).filter(([, count]) => count > 0),
    );
  }
}
