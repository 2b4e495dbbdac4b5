/** A capability of a configuration space: where it is, its id, and where the next is. */
export type Capability = readonly [at: number, id: number, next: number];

/** A PCI Express configuration space with these extended capabilities, and a device serial number in one of them. */
export function configSpace(
  capabilities: readonly Capability[],
  { at, serial }: { readonly at: number; readonly serial: string },
): Buffer {
  const space = Buffer.alloc(4096);
  for (const [where, id, next] of capabilities) space.writeUInt32LE(id + 0x10000 + next * 0x100000, where);
  space.writeUInt32LE(Number.parseInt(serial.slice(8), 16), at + 4);
  space.writeUInt32LE(Number.parseInt(serial.slice(0, 8), 16), at + 8);
  return space;
}
