import type { Clock } from '@cro/clock';
import type { Device } from '@cro/fabric-sim';
import type { NodeSpec } from '../../node-object.ts';
import { faultWords, type NodeFault } from './node-fault.ts';
import type { HostEvents } from './host-events.ts';
import { Host } from './host.ts';

/** What the hosts tell of. */
export interface HostsEvents {
  /** A device of the fabric was taken off its host in order; it is plugged into that machine still. */
  removed(machine: string, device: Device): void;
  /** A GPU was cut up in another way. `id`: the fabric's of it, or its UUID where no fabric knows it. */
  recut(machine: string, id: string): void;
  /** Names of the entries by which the scheduler could give a device of the fabric to a pod. */
  freeEntries(machine: string, device: Device): readonly string[];
}

/** The hosts of all machines, and the faults that happened to them. A host stays when its Node is deleted. */
export class Hosts {
  readonly #clock: Clock;
  readonly #events: HostsEvents;
  readonly #byMachine = new Map<string, Host>();
  readonly #faults: NodeFault[] = [];

  constructor(clock: Clock, events: HostsEvents) {
    this.#clock = clock;
    this.#events = events;
  }

  /** The host of a node, which has these devices from the start. */
  add({ name, machUuid, host: spec = {} }: NodeSpec, devices: readonly Device[]): Host {
    const known = this.#byMachine.get(machUuid);
    known?.look();
    if (known !== undefined) return known;
    const fault: HostEvents['fault'] = (one) => {
      this.#faults.push({ node: name, ...one, atMs: this.#clock.monotonic() });
    };
    const host = new Host(spec, {
      fault,
      removed: (device) => {
        this.#events.removed(machUuid, device);
      },
      leaving: ({ device, uuid }) => {
        const heldBy = device === undefined ? [] : this.#events.freeEntries(machUuid, device);
        if (heldBy.length > 0) fault({ uuid, what: 'leftUnfenced', heldBy });
      },
      recut: (id) => {
        this.#events.recut(machUuid, id);
      },
    });
    for (const device of devices) host.plug(device);
    host.look();
    this.#byMachine.set(machUuid, host);
    return host;
  }

  /** The fabric has plugged a device in. */
  attached(machine: string, device: Device): void {
    this.#byMachine.get(machine)?.plug(device);
  }

  /** The fabric has pulled a device out. */
  detached(machine: string, device: Device): void {
    this.#byMachine.get(machine)?.unplug(device.resUuid);
  }

  faults(): readonly NodeFault[] {
    return [...this.#faults];
  }

  /** Throws, naming the faults, if there are any. */
  assertNoFaults(): void {
    if (this.#faults.length > 0)
      throw new Error(`the nodes were treated badly: ${this.#faults.map(faultWords).join('; ')}`);
  }
}
