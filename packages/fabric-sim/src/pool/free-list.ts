import type { Device } from './device.ts';

/** The free devices by model, so that thousands of attaches do not search thousands of devices. */
export class FreeList {
  readonly #byModel = new Map<string, Map<string, Device>>();

  /** Adds a device, or replaces what is known of it. */
  add(device: Device): void {
    let devices = this.#byModel.get(device.model);
    if (devices === undefined) {
      devices = new Map();
      this.#byModel.set(device.model, devices);
    }
    devices.set(device.resUuid, device);
  }

  /** Takes a device out. */
  delete(device: Device): void {
    this.#byModel.get(device.model)?.delete(device.resUuid);
  }

  /** Up to `count` devices that a fabric reaches, the one that has been free longest first. */
  first(fabricUuid: string, type: string, model: string, count: number): readonly Device[] {
    const found: Device[] = [];
    for (const device of this.#reachable(fabricUuid, model, type)) {
      if (found.length === count) break;
      found.push(device);
    }
    return found;
  }

  /** How many devices of a model a fabric reaches. Any type when `type` is left out. */
  count(fabricUuid: string, model: string, type?: string): number {
    return [...this.#reachable(fabricUuid, model, type)].length;
  }

  *#reachable(fabricUuid: string, model: string, type?: string): Iterable<Device> {
    for (const device of this.#byModel.get(model)?.values() ?? []) {
      if (device.fabricUuid !== undefined && device.fabricUuid !== fabricUuid) continue;
      if (type === undefined || device.type === type) yield device;
    }
  }
}
