/** Bus numbers that are given to GPUs, lowest first: 0x10 and up, beyond the bridges of a common board. */
const FIRST_BUS = 0x10;

/** The PCI address of the `slot`-th GPU of a host, in the kernel's form: `0000:10:00.0`. */
export function addressOfSlot(slot: number): string {
  const number = FIRST_BUS + slot;
  const domain = Math.floor(number / 0x100);
  return `${hex(domain, 4)}:${hex(number % 0x100, 2)}:00.0`;
}

/** The same address as NVML writes it: a domain of 8 digits, in upper case (`00000000:10:00.0`). */
export function nvmlAddress(address: string): string {
  return `${address.slice(0, address.indexOf(':')).padStart(8, '0')}${address.slice(address.indexOf(':'))}`.toUpperCase();
}

/** Whether a word that a person gave names that address: any width of the domain or none, any case. */
export function namesAddress(word: string, address: string): boolean {
  const [, domain = '0', rest = ''] = /^(?:([0-9a-f]{1,8}):)?([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/iu.exec(word) ?? [];
  const colon = address.indexOf(':');
  return (
    rest.toLowerCase() === address.slice(colon + 1) && parseInt(domain, 16) === parseInt(address.slice(0, colon), 16)
  );
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
