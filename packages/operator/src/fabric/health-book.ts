import type { Health, Listing } from '@cro/cdi-core';
import { delay, type Clock } from '@cro/clock';
import type { ComposableResource } from '@cro/crd-types';

/** Whether a device works, and what is wrong when it does not. */
export interface KnownHealth {
  readonly ok: boolean;
  readonly message: string;
}

/** Devices noted in one turn of the event loop. */
const SLICE = 500;

/** The fabric's last word on each device, by the fabric's id of it. */
export class HealthBook {
  readonly #health = new Map<string, Health>();
  readonly #changed: (cdiDeviceId: string) => void;

  /** `changed` is called for each device whose health is not what it was. */
  constructor(changed: (cdiDeviceId: string) => void) {
    this.#changed = changed;
  }

  /** What is known of a resource's device; `undefined`: nothing yet. */
  of(resource: ComposableResource): KnownHealth | undefined {
    return this.ofDevice(keyOf(resource));
  }

  /** What is known of a device, by the fabric's id of it. */
  ofDevice(id: string): KnownHealth | undefined {
    const health = this.#health.get(id);
    if (health === undefined) return undefined;
    return health.level === 'ok' ? { ok: true, message: '' } : { ok: false, message: health.message };
  }

  /** Notes what an operation or a listing said of a device. */
  set(id: string, health: Health): void {
    const before = this.#health.get(id);
    this.#health.set(id, health);
    if (before === undefined || !sameHealth(before, health)) this.#changed(id);
  }

  /**
   * Notes a listing. `expected` are the resources that had their device on a machine before the listing began: one that
   * is not in it is missing, unless its machine could not be read.
   */
  async update(listing: Listing, expected: readonly ComposableResource[], clock: Clock): Promise<void> {
    const unreadable = new Set(listing.unreadable.map(({ machine }) => machine));
    const listed = new Set<string>();
    for (const [index, device] of listing.devices.entries()) {
      if (index % SLICE === SLICE - 1) await delay(clock, 0);
      for (const id of [device.cdiDeviceId, device.deviceId]) {
        if (id === undefined || id === '') continue;
        listed.add(id);
        this.set(id, device.health);
      }
    }
    for (const resource of expected) {
      const { fabric, device_id = '', cdi_device_id = '' } = resource.status ?? {};
      if (fabric === undefined || unreadable.has(fabric.machine) || listed.has(cdi_device_id) || listed.has(device_id))
        continue;
      const message = `the target device '${device_id === '' ? cdi_device_id : device_id}' cannot be found in CDI system`;
      this.set(keyOf(resource), { level: 'missing', message });
    }
  }

  /** Forgets devices that no resource has any more. */
  keepOnly(resources: readonly ComposableResource[]): void {
    const kept = new Set(resources.flatMap(({ status }) => [status?.cdi_device_id ?? '', status?.device_id ?? '']));
    for (const id of this.#health.keys()) if (!kept.has(id)) this.#health.delete(id);
  }
}

function sameHealth(left: Health, right: Health): boolean {
  if (left.level === 'ok' || right.level === 'ok') return left.level === right.level;
  return left.level === right.level && left.message === right.message;
}

function keyOf(resource: ComposableResource): string {
  const { cdi_device_id = '', device_id = '' } = resource.status ?? {};
  return cdi_device_id === '' ? device_id : cdi_device_id;
}
