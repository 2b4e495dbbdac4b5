import type { Device } from '@cro/fabric-sim';

/** A device and its number's name. */
interface Numbered {
  readonly name: string;
  readonly device: Device;
}

/** The devices that a node's driver has found, each under the lowest number that was free when it came. */
export class NamedDevices {
  readonly #byNumber: (Device | undefined)[] = [];

  /** Adds a device; one that is there already keeps its number. */
  add(device: Device): void {
    if (this.#numberOf(device.resUuid) !== -1) return;
    const gap = this.#byNumber.indexOf(undefined);
    this.#byNumber[gap === -1 ? this.#byNumber.length : gap] = device;
  }

  /** Takes a device out; its number is free again. */
  remove(resUuid: string): void {
    const number = this.#numberOf(resUuid);
    if (number !== -1) this.#byNumber[number] = undefined;
  }

  /** The devices by number. */
  list(): readonly Numbered[] {
    return this.#byNumber.flatMap((device, number) =>
      device === undefined ? [] : [{ name: `gpu-${number}`, device }],
    );
  }

  #numberOf(resUuid: string): number {
    return this.#byNumber.findIndex((device) => device?.resUuid === resUuid);
  }
}
