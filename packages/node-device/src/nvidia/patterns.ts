/*
 * The only way for a text of the fabric, of an object or of a node into a command: each class is made from a text that fits
 * its pattern, and from no other.
 */

/** `GPU-` and a UUID, as NVML writes it (nvmlDeviceGetUUID). Case does not count. */
const GPU_UUID = /^GPU-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Domain, bus, device and function, in hex. The kernel writes a domain of at least 4 digits, NVML one of 8. */
const PCI_ADDRESS = /^([0-9a-f]{4,8}):([0-9a-f]{2}):([01][0-9a-f])\.([0-7])$/i;

/** The UUID of a GPU. */
export class GpuUuid {
  static readonly accepted = '"GPU-" and a UUID, as in GPU-00000000-0000-0000-0000-000000000000';
  readonly #uuid: string;

  private constructor(uuid: string) {
    this.#uuid = uuid;
  }

  /** Undefined where the text is no such UUID. */
  static of(text: string): GpuUuid | undefined {
    const uuid = GPU_UUID.exec(text)?.[1];
    return uuid === undefined ? undefined : new GpuUuid(uuid.toLowerCase());
  }

  /** As NVML writes it. */
  toString(): string {
    return `GPU-${this.#uuid}`;
  }

  /** Whether both are the same GPU. */
  equals(other: GpuUuid): boolean {
    return this.#uuid === other.#uuid;
  }
}

/** The address of a function on the PCI bus. */
export class PciAddress {
  readonly #domain: string;
  readonly #rest: string;

  private constructor(domain: string, rest: string) {
    this.#domain = domain;
    this.#rest = rest;
  }

  /** Undefined where the text is no such address. */
  static of(text: string): PciAddress | undefined {
    const [, domain, bus, device, fn] = PCI_ADDRESS.exec(text) ?? [];
    if (domain === undefined) return undefined;
    // NVML fills the domain up to 8 digits; `drain -p` and sysfs want the 4 of the kernel, or as many as it takes.
    const short = Number.parseInt(domain, 16).toString(16).padStart(4, '0');
    return new PciAddress(short, `${bus}:${device}.${fn}`.toLowerCase());
  }

  /** As the kernel names it in /proc and /sys. */
  get inKernel(): string {
    return `${this.#domain}:${this.#rest}`;
  }

  /** Whether both are the same place on the bus. */
  equals(other: PciAddress): boolean {
    return this.inKernel === other.inKernel;
  }

  /** As `nvidia-smi drain -p` is given it. */
  get inNvidiaSmi(): string {
    return this.inKernel.toUpperCase();
  }
}

/** Minor number of /dev/nvidia<minor>; undefined where the text is none. 195:255 is nvidiactl, which belongs to no GPU. */
export function minorOf(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) < 255 ? Number(text) : undefined;
}
