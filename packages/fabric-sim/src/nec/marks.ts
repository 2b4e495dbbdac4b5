/** Id of the group that every resource is in unless it was put into another. */
export const DEFAULT_GROUP = '00000000-0000-7000-8000-000000000000';

/** What the operators of a CDIM, and the makers of its hardware, note of a resource. */
export class Marks {
  readonly #unavailable = new Set<string>();
  readonly #groups = new Map<string, readonly string[]>();
  readonly #builtIn = new Map<string, string>();
  readonly #serials = new Map<string, string>();
  readonly #undetected = new Set<string>();

  /** `annotation.available`: false while a resource is under maintenance. */
  available(id: string): boolean {
    return !this.#unavailable.has(id);
  }

  /** Sets `annotation.available`. */
  setAvailable(id: string, available: boolean): void {
    if (available) this.#unavailable.delete(id);
    else this.#unavailable.add(id);
  }

  /** The groups that a resource is in. */
  groups(id: string): readonly string[] {
    return this.#groups.get(id) ?? [DEFAULT_GROUP];
  }

  /** Every group that some resource is in. */
  allGroups(): readonly string[] {
    return [...new Set([DEFAULT_GROUP, ...[...this.#groups.values()].flat()])];
  }

  /** Puts a resource into groups. */
  setGroups(id: string, groups: readonly string[]): void {
    this.#groups.set(id, groups);
  }

  /** The machine that a device is soldered to, if it is. */
  builtInto(id: string): string | undefined {
    return this.#builtIn.get(id);
  }

  /** Solders a device to a machine. */
  setBuiltIn(id: string, machine: string): void {
    this.#builtIn.set(id, machine);
  }

  /** `serialNumber`: the end of its id unless set; empty where the hardware has none. */
  serialNumber(id: string): string {
    return this.#serials.get(id) ?? `SN-${id.slice(-12)}`;
  }

  /** Sets `serialNumber`. */
  setSerialNumber(id: string, serial: string): void {
    this.#serials.set(id, serial);
  }

  /** Whether the last synchronisation still found the resource. */
  detected(id: string): boolean {
    return !this.#undetected.has(id);
  }

  /** Sets `detected`. */
  setDetected(id: string, detected: boolean): void {
    if (detected) this.#undetected.delete(id);
    else this.#undetected.add(id);
  }
}
