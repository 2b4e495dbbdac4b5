import { resourcesOf } from './objects.ts';
import type { World } from './world.ts';

/** Keeps count of what must never go wrong, at every event of the fabric and every write to the API server. */
export class Ledger {
  readonly faults: string[] = [];
  /** Resources that ever had a device. */
  readonly holders = new Set<string>();
  attached = 0;
  detached = 0;

  constructor(world: World) {
    world.fabric.subscribe(({ tag, device }) => {
      if (tag === 'attached') this.attached += 1;
      else this.detached += 1;
      const devices = this.attached - this.detached;
      const owners = resourcesOf(world).filter((one) => (one.metadata.finalizers ?? []).length > 0).length;
      if (devices > owners)
        this.faults.push(`${devices} devices attached and ${owners} resources, at ${tag} of ${device.serial}`);
    });
    world.kube.observe(({ isWrite }) => {
      if (!isWrite) return;
      const seen = new Map<string, string>();
      for (const { metadata, status } of resourcesOf(world)) {
        const id = status?.cdi_device_id;
        if (id === undefined) continue;
        this.holders.add(metadata.name);
        const other = seen.get(id);
        if (other !== undefined) this.faults.push(`${other} and ${metadata.name} both hold ${id}`);
        seen.set(id, metadata.name);
      }
    });
  }
}
