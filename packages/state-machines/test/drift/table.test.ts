import { describe, expect, test } from 'vitest';
import { driftKey, stepDrift, type DriftMemory, type Sweep } from '../../src/index.ts';

const MINUTE = 60_000;
const device = { provider: 'fti-fm', machine: 'machine-0', cdiDeviceId: 'RES-a', deviceId: 'GPU-a' };
const key = 'fti-fm/machine-0/RES-a';
const at = (now: number, more: Partial<Sweep<typeof device>> = {}): Sweep<typeof device> => ({
  listed: [device],
  unreadable: [],
  owned: new Set(),
  busy: new Set(),
  now,
  graceMs: 10 * MINUTE,
  ...more,
});
const tracked = (firstSeen: number): DriftMemory => ({ firstSeen: { [key]: firstSeen }, spared: [] });
const empty: DriftMemory = { firstSeen: {}, spared: [] };

describe('what the Go operator does (interval 1 min, grace 10 min)', () => {
  test('an unowned device is tracked from its first sight, and not given back', () => {
    expect(stepDrift(empty, at(5 * MINUTE))).toEqual({ memory: tracked(5 * MINUTE), changed: true, orphans: [] });
  });
  test('tracked for 1 min: still tracked, nothing to write', () => {
    expect(stepDrift(tracked(0), at(MINUTE))).toEqual({ memory: tracked(0), changed: false, orphans: [] });
  });
  test('tracked for 10 min: an orphan, and tracked until somebody owns it', () => {
    expect(stepDrift(tracked(0), at(10 * MINUTE))).toEqual({ memory: tracked(0), changed: false, orphans: [device] });
    expect(stepDrift(tracked(0), at(10 * MINUTE - 1)).orphans).toEqual([]);
  });
  test.each(['GPU-a', 'RES-a'])('a resource or ticket that holds %s: forgotten', (id) => {
    expect(stepDrift(tracked(0), at(20 * MINUTE, { owned: new Set([id]) }))).toEqual({
      memory: empty,
      changed: true,
      orphans: [],
    });
  });
  test('not listed any more: forgotten', () => {
    expect(stepDrift(tracked(0), at(20 * MINUTE, { listed: [] }))).toEqual({
      memory: empty,
      changed: true,
      orphans: [],
    });
  });
});

describe('where the Go operator is wrong', () => {
  test('a machine that could not be read keeps its tracking, and its clock', () => {
    const unread = stepDrift(tracked(0), at(20 * MINUTE, { listed: [], unreadable: ['machine-0'] }));
    expect(unread).toEqual({ memory: tracked(0), changed: false, orphans: [] });
  });
  test('devices are told apart by the fabric id first; one without any id is left alone', () => {
    const twins = [
      { ...device, deviceId: 'GPU-same' },
      { ...device, deviceId: 'GPU-same', cdiDeviceId: 'RES-b' },
      { ...device, deviceId: '', cdiDeviceId: '' },
    ];
    expect(Object.keys(stepDrift(empty, at(0, { listed: twins })).memory.firstSeen)).toEqual([
      key,
      'fti-fm/machine-0/RES-b',
    ]);
    expect(driftKey({ ...device, cdiDeviceId: '' })).toBe('fti-fm/machine-0/GPU-a');
  });
  test('while an operation is open on the machine nothing matures, and the clock goes on', () => {
    const busy = stepDrift(tracked(0), at(20 * MINUTE, { busy: new Set(['machine-0']) }));
    expect(busy).toEqual({ memory: tracked(0), changed: false, orphans: [] });
    expect(stepDrift(busy.memory, at(20 * MINUTE)).orphans).toEqual([device]);
  });
  test('a clock that was set back starts the grace time again, and ends it', () => {
    const back = stepDrift(tracked(60 * MINUTE), at(MINUTE));
    expect(back).toEqual({ memory: tracked(MINUTE), changed: true, orphans: [] });
    expect(stepDrift(back.memory, at(11 * MINUTE)).orphans).toEqual([device]);
  });
});

describe('devices that were detached by annotation', () => {
  const spared: DriftMemory = { firstSeen: {}, spared: [key] };
  test('are left alone, for however long', () => {
    expect(stepDrift(spared, at(1000 * MINUTE))).toEqual({ memory: spared, changed: false, orphans: [] });
  });
  test('are not tracked any more from when they are spared', () => {
    const both = { firstSeen: { [key]: 0 }, spared: [key] };
    expect(stepDrift(both, at(1000 * MINUTE))).toEqual({ memory: spared, changed: true, orphans: [] });
  });
  test('stay spared while the resource that was detached is about to go', () => {
    const ids = new Set(['RES-a', 'GPU-a']);
    expect(stepDrift(spared, at(0, { owned: ids, leaving: ids })).memory).toEqual(spared);
  });
  test.each([
    ['an owner again', { owned: new Set(['RES-a']) }],
    ['left the machine', { listed: [] }],
    ['moved to another machine', { listed: [{ ...device, machine: 'machine-1' }] }],
  ])('are forgotten once they have %s', (_why, more) => {
    expect(stepDrift(spared, at(0, more)).memory.spared).toEqual([]);
  });
  test('stay spared while their machine cannot be read', () => {
    expect(stepDrift(spared, at(0, { listed: [], unreadable: ['machine-0'] })).memory).toEqual(spared);
  });
});
