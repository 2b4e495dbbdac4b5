/** One field of a protobuf message: a number, or bytes. Kubernetes' messages use no other wire types. */
export interface WireField {
  readonly number: number;
  readonly value: number | Buffer;
}

/** Splits a message into its fields; undefined when the bytes are no protobuf message. */
export function readWire(bytes: Buffer): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  let position = 0;
  const varint = (): number | undefined => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = bytes[position];
      if (byte === undefined) return undefined;
      position += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (position < bytes.length) {
    const tag = varint();
    const length = varint();
    if (tag === undefined || length === undefined) return undefined;
    const number = Math.floor(tag / 8);
    if (tag % 8 === 0) {
      fields.push({ number, value: length });
    } else {
      if (tag % 8 !== 2 || position + length > bytes.length) return undefined;
      fields.push({ number, value: bytes.subarray(position, position + length) });
      position += length;
    }
  }
  return fields;
}
