import fc from 'fast-check';
import type { DriftMemory, ListedOnFabric, Sweep } from '../../src/index.ts';

/** Few values that meet often, and any text at all, halves of surrogate pairs included. */
const word = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'a/b', '%002f', '__proto__', 'constructor', 'GPU-1', '\ud800', '\udfff', '￿'),
  fc.string({ unit: 'binary' }),
);

export const device: fc.Arbitrary<ListedOnFabric> = fc.record({
  provider: word,
  machine: word,
  cdiDeviceId: fc.oneof(fc.constant(''), word),
  deviceId: fc.oneof(fc.constant(''), word),
});

export const devices = fc.array(device, { maxLength: 8 });

/** Sweeps over the machines and ids of `listed`, so that owners, busy and unreadable machines hit something. */
export function sweepOver(listed: readonly ListedOnFabric[], now: number): fc.Arbitrary<Sweep<ListedOnFabric>> {
  const machines = fc.subarray(listed.map(({ machine }) => machine));
  const ids = fc.subarray(listed.flatMap(({ cdiDeviceId, deviceId }) => [cdiDeviceId, deviceId]));
  return fc.record({
    listed: fc.constant(listed),
    unreadable: machines,
    owned: ids.map((some) => new Set(some)),
    busy: machines.map((some) => new Set(some)),
    now: fc.constant(now),
    graceMs: fc.constant(600_000),
  });
}

export const empty: DriftMemory = { firstSeen: {}, spared: [] };

/** A story of sweeps, each at its time. */
export const sweeps: fc.Arbitrary<Sweep<ListedOnFabric>[]> = devices.chain((all) =>
  fc.array(
    fc.tuple(fc.subarray(all), fc.integer({ min: 0, max: 3_000_000 })).chain(([listed, now]) => sweepOver(listed, now)),
    { minLength: 1, maxLength: 6 },
  ),
);
