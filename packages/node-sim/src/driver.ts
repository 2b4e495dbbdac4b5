import type { Cancel, Clock } from '@cro/clock';
import type { Device } from '@cro/fabric-sim';
import { NamedDevices } from './names.ts';
import type { Publisher } from './publisher.ts';

/** After how many milliseconds a device's coming or going shows in the slice; `Infinity` is never. */
export interface Delays {
  readonly publishMs: number;
  readonly withdrawMs: number;
}

/** What a DRA driver knows of its node. */
export interface DriverNode {
  delaysOf(resUuid: string): Delays;
  /** Makes NVIDIA's driver look which GPUs there are. */
  look(): void;
  /** UUIDs of the MIG devices of a GPU, by the fabric's id of it. */
  migOf(resUuid: string): readonly string[];
}

/** A node's DRA driver: sees devices come and go, and after a while tells its publisher. */
export class Driver {
  readonly #clock: Clock;
  readonly #publisher: Publisher;
  readonly #node: DriverNode;
  readonly #shown = new NamedDevices();
  readonly #timers = new Map<string, Cancel>();
  #up = true;

  constructor(clock: Clock, publisher: Publisher, node: DriverNode) {
    this.#clock = clock;
    this.#publisher = publisher;
    this.#node = node;
  }

  /** The devices that were there before the driver: shown at once. */
  start(devices: readonly Device[]): void {
    for (const device of devices) {
      if (isShowable(device)) this.#shown.add(device);
    }
    this.#publish();
  }

  /** A device has come to the machine. */
  attached(device: Device): void {
    if (!isShowable(device)) return;
    this.#later(device.resUuid, this.#node.delaysOf(device.resUuid).publishMs, () => {
      this.#node.look();
      this.#shown.add(device);
    });
  }

  /** A device has left the machine. */
  detached(device: Device): void {
    if (!isShowable(device)) return;
    this.#later(device.resUuid, this.#node.delaysOf(device.resUuid).withdrawMs, () => {
      this.#shown.remove(device.resUuid);
    });
  }

  /** A GPU was cut up in another way. */
  recut(resUuid: string): void {
    this.#later(`cut of ${resUuid}`, this.#node.delaysOf(resUuid).publishMs, () => undefined);
  }

  /** The driver has started anew: it shows exactly these devices. */
  restarted(devices: readonly Device[]): void {
    const found = new Set(devices.map(({ resUuid }) => resUuid));
    for (const { device } of this.#shown.list()) if (!found.has(device.resUuid)) this.#shown.remove(device.resUuid);
    for (const device of devices) this.#shown.add(device);
    this.setUp(true);
  }

  /** Takes the slice away, or brings it back as it has to be by now. */
  setUp(up: boolean): void {
    this.#up = up;
    this.#publish();
  }

  /** Ends the driver: what waits for its delay will not happen. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #later(key: string, ms: number, change: () => void): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    const act = () => {
      this.#timers.delete(key);
      change();
      this.#publish();
    };
    if (ms <= 0) act();
    else if (Number.isFinite(ms)) this.#timers.set(key, this.#clock.after(ms, act));
  }

  #publish(): void {
    const devices = this.#shown.list().map((one) => ({ ...one, mig: this.#node.migOf(one.device.resUuid) }));
    this.#publisher.want(this.#up ? { tag: 'slice', devices } : { tag: 'absent' });
  }
}

/** NVIDIA's driver shows GPUs, and names each by its UUID. */
function isShowable(device: Device): boolean {
  return device.type === 'gpu' && device.serial !== '';
}
