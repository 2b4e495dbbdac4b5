import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from '../src/protobuf/decode.ts';

/** A field of bytes, as protobuf writes it. */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))]);
}

const entry = (number: number, key: string, value: Buffer | string) =>
  field(number, Buffer.concat([field(1, key), field(2, value)]));
const envelope = (kind: string, raw: Buffer) =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, 'v1'), field(2, kind)])), field(2, raw)]);

describe('a protobuf body', () => {
  it('of a Secret becomes JSON', () => {
    const metadata = Buffer.concat([
      field(1, 's'),
      field(2, ''),
      field(3, 'n'),
      entry(11, 'x', 'y'),
      field(14, 'a/b'),
      field(14, 'c/d'),
    ]);
    const raw = Buffer.concat([
      field(1, metadata),
      entry(2, 'k', Buffer.of(0, 255)),
      field(3, 'Opaque'),
      Buffer.of(5 * 8, 1),
    ]);
    expect(decodeProtobuf(envelope('Secret', raw))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'n', labels: { x: 'y' }, finalizers: ['a/b', 'c/d'] },
      data: { k: Buffer.of(0, 255).toString('base64') },
      type: 'Opaque',
      immutable: true,
    });
  });

  it('of a ConfigMap gives back whatever text was put in', () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9.]{0,20}$/u);
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.dictionary(key, text, { minKeys: 1, noNullPrototype: true }), (data) => {
        const raw = Buffer.concat(Object.entries(data).map(([name, value]) => entry(2, name, value)));
        expect(decodeProtobuf(envelope('ConfigMap', raw))).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', data });
      }),
    );
  });

  it('that is none, is cut off, or is of another kind, is not read', () => {
    const whole = envelope('Namespace', field(1, field(1, 'n')));
    expect(decodeProtobuf(whole)).toMatchObject({ metadata: { name: 'n' } });
    expect(decodeProtobuf(whole.subarray(0, -1))).toBeUndefined();
    expect(decodeProtobuf(envelope('Pod', Buffer.of()))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(() => decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), bytes]))).not.toThrow();
        expect(decodeProtobuf(Buffer.concat([Buffer.from('{'), bytes]))).toBeUndefined();
      }),
    );
  });
});
