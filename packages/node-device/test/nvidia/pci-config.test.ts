import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPciSerial } from '../../src/nvidia/parse/pci-config.ts';
import { configSpace, type Capability } from './config-space.ts';

const ADDRESS = '0000:1f:00.0';
const read = (space: Buffer) => readPciSerial(`${ADDRESS} ${space.toString('hex')}`);
const serialIn = (space: Buffer) => {
  const one = read(space);
  return one.tag === 'ok' ? one.value?.serial : one.message;
};

test('a serial number is found wherever its capability stands in the chain', () => {
  // Far enough apart not to overlap.
  const place = fc.integer({ min: 0x11, max: 0xff }).map((sixteenth) => sixteenth * 16);
  const hex = fc.string({ unit: fc.constantFrom(...'123456789abcdef'), minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.uniqueArray(place, { maxLength: 8 }), hex, (places, serial) => {
      const chain = [0x100, ...places];
      const last = chain.at(-1) ?? 0x100;
      const capabilities = chain.map((at, index): Capability => [at, at === last ? 3 : 0x0b, chain[index + 1] ?? 0]);
      expect(serialIn(configSpace(capabilities, { at: last, serial }))).toBe(serial);
    }),
  );
});

test('a device without one, a short space, a chain that leads back to itself and one of zeros say none', () => {
  const none = { at: 0x200, serial: '0'.repeat(16) };
  expect(serialIn(configSpace([], none))).toBeUndefined();
  expect(serialIn(configSpace([[0x100, 0x0b, 0x100]], none))).toBeUndefined();
  expect(serialIn(configSpace([[0x100, 3, 0]], { at: 0x100, serial: '0'.repeat(16) }))).toBeUndefined();
  const whole = configSpace([[0x100, 3, 0]], { at: 0x100, serial: 'deadbeefbadcafe0' });
  expect(serialIn(whole.subarray(0, 64))).toBeUndefined();
  expect(serialIn(whole)).toBe('deadbeefbadcafe0');
});

test('any bytes end, and what is no configuration space is named', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
      expect(read(Buffer.from(bytes)).tag).toBe('ok');
    }),
  );
  for (const line of ['', ADDRESS, 'x 00', `${ADDRESS} 0`, `${ADDRESS} zz`, `${ADDRESS} ${'00'.repeat(4097)}`]) {
    expect(readPciSerial(line)).toMatchObject({ tag: 'wrong' });
  }
});
