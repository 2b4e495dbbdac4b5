import type { ListedDevice, Listing } from '@cro/cdi-core';
import type { ComposableResource } from '@cro/crd-types';
import { holdOf, stepDrift, type ListedOnFabric, type Sweep } from '@cro/state-machines';
import { nodeFacts } from '../cluster/node-states.ts';
import { idsHeldBy } from '../fabric/ownership.ts';
import type { Services } from '../services.ts';
import { giveBackDevice } from './give-back.ts';

/** Times of the syncer, in milliseconds. */
export interface SyncerOptions {
  readonly intervalMs: number;
  readonly graceMs: number;
}

type Seen = ListedDevice & ListedOnFabric & { readonly node: string };

/**
 * Compares, once an interval, what the fabric has with what the cluster owns: the one reading of each machine gives the
 * health of all its devices and finds those that nobody owns.
 */
export class Syncer {
  readonly #services: Services;
  readonly #options: SyncerOptions;
  #orphans = 0;

  constructor(services: Services, options: SyncerOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** Devices that nobody has owned so far: tracked, or on their way back. */
  get orphans(): number {
    return this.#orphans;
  }

  /** Sweeps now, and again after each interval until the operator stops. */
  start(): void {
    void this.#round();
  }

  async #round(): Promise<void> {
    const { log, clock, signal } = this.#services;
    try {
      await this.sweep();
    } catch (error) {
      if (signal.aborted) return;
      log.error('the sweep of the fabric failed', { error: error instanceof Error ? error.message : String(error) });
    }
    // A sweep that was cut short ends without an error; a timer set now would never be cancelled, and keep the process.
    if (signal.aborted) return;
    const cancel = clock.after(this.#options.intervalMs, () => {
      signal.removeEventListener('abort', cancel);
      void this.#round();
    });
    signal.addEventListener('abort', cancel, { once: true });
  }

  /** One sweep. */
  async sweep(): Promise<void> {
    const { caches, clock, fabric, health, drift, log, signal } = this.#services;
    const expected = caches.resources.list().filter(hasSettledDevice);
    const nodeOf = await this.#machines();
    for (const { status } of expected) {
      const machine = status?.fabric?.machine;
      if (machine !== undefined && !nodeOf.has(machine)) nodeOf.set(machine, '');
    }
    const listing = await fabric.list([...nodeOf.keys()], signal);
    for (const { machine, failure } of listing.unreadable)
      log.warn('a machine could not be read', { machine, ...failure });
    await health.update(listing, expected, clock);
    health.keepOnly(caches.resources.list());
    const loaded = await drift.load();
    if (loaded.tag === 'failed') {
      log.warn('no device is given back: what was seen before cannot be read', { ...loaded.failure });
      return;
    }
    await this.#compare(listing, nodeOf);
  }

  async #compare(listing: Listing, nodeOf: ReadonlyMap<string, string>): Promise<void> {
    const { drift, log, fabric, draining } = this.#services;
    const listed = listing.devices.map((device): Seen => {
      const { machine, deviceId = '' } = device;
      return { ...device, deviceId, provider: fabric.name, node: nodeOf.get(machine) ?? '' };
    });
    const step = stepDrift(drift.memory, this.#sweepOf(listed, listing));
    this.#orphans = Object.keys(step.memory.firstSeen).length;
    if (step.changed) {
      const written = await drift.save(step.memory);
      if (written.tag === 'failed') log.warn('what the sweep saw could not be kept', { ...written.failure });
    }
    if (draining) return;
    for (const orphan of step.orphans) await this.#giveBack(orphan);
  }

  #sweepOf(listed: readonly Seen[], listing: Listing): Sweep<Seen> {
    const { caches, clock, fabric } = this.#services;
    const resources = caches.resources.list();
    const busyLanes = new Set(
      resources.flatMap(({ status }) => (status?.operation ? fabric.laneOf(status.operation.machine) : [])),
    );
    const machines = listed.map(({ machine }) => machine);
    return {
      listed,
      unreadable: listing.unreadable.map(({ machine }) => machine),
      owned: new Set(resources.flatMap(idsHeldBy)),
      leaving: new Set(resources.filter(isLeavingForGood).flatMap(idsHeldBy)),
      busy: new Set(machines.filter((machine) => busyLanes.has(fabric.laneOf(machine)))),
      now: clock.now(),
      graceMs: this.#options.graceMs,
    };
  }

  async #giveBack(orphan: Seen): Promise<void> {
    const { log } = this.#services;
    const fields = {
      machine: orphan.machine,
      node: orphan.node,
      device: orphan.deviceId,
      cdiDevice: orphan.cdiDeviceId,
    };
    if (orphan.node === '') {
      log.warn('a device that nobody owns is on a machine without a node: take it back by hand', fields);
      return;
    }
    log.warn('nobody owns a device: giving it back', fields);
    await giveBackDevice(orphan, this.#services);
  }

  /** The fabric's machines of the cluster's nodes. A node that is not on the fabric is none of our business. */
  async #machines(): Promise<Map<string, string>> {
    const { caches, fabric, log, signal } = this.#services;
    const nodeOf = new Map<string, string>();
    for (const node of caches.nodes.list()) {
      const located = await fabric.locate(nodeFacts(node), signal);
      if (located.tag === 'machine') nodeOf.set(located.machine, node.metadata.name);
      else if (located.tag === 'failed')
        log.warn('a node has no machine on the fabric', { node: node.metadata.name, ...located.failure });
    }
    return nodeOf;
  }
}

/** Deleted while the hardware must not be touched: it is no owner that a spared device could come back to. */
function isLeavingForGood({ metadata }: ComposableResource): boolean {
  return metadata.deletionTimestamp !== undefined && holdOf(metadata) === 'detached';
}

/** Whether a resource had its device for certain before a listing began, so that the listing must show it. */
function hasSettledDevice({ status }: ComposableResource): boolean {
  return status?.state === 'Online' && status.operation === undefined && idsIn(status) !== '';
}

function idsIn(status: NonNullable<ComposableResource['status']>): string {
  return (status.cdi_device_id ?? '') + (status.device_id ?? '');
}
