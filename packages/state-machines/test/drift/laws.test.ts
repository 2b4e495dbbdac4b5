import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  driftKey,
  stepDrift,
  type DriftMemory,
  type DriftStep,
  type ListedOnFabric,
  type Sweep,
} from '../../src/index.ts';
import { device, devices, empty, sweeps } from './arbitrary.ts';

type Told = readonly [before: DriftMemory, sweep: Sweep<ListedOnFabric>, step: DriftStep<ListedOnFabric>];

/** Holds a law against each step of many stories. */
function law(holds: (...told: Told) => void, spare = fc.constant<readonly ListedOnFabric[]>([])): void {
  fc.assert(
    fc.property(sweeps, spare, (story, spared) => {
      let memory: DriftMemory = { ...empty, spared: spared.flatMap((one) => driftKey(one) ?? []) };
      for (const sweep of story) {
        const step = stepDrift(memory, sweep);
        holds(memory, sweep, step);
        memory = step.memory;
      }
    }),
    { numRuns: 300 },
  );
}

const holdsOf = (ids: ReadonlySet<string>, { cdiDeviceId, deviceId }: ListedOnFabric) =>
  (cdiDeviceId !== '' && ids.has(cdiDeviceId)) || (deviceId !== '' && ids.has(deviceId));

test('a device that has an owner is never an orphan', () => {
  law((_before, { owned }, { orphans }) => {
    for (const orphan of orphans) expect(holdsOf(owned, orphan)).toBe(false);
  });
});

test('nothing matures on a busy machine, nor on one that could not be read', () => {
  law((_before, { busy, unreadable }, { orphans }) => {
    for (const { machine } of orphans) {
      expect(busy.has(machine)).toBe(false);
      expect(unreadable).not.toContain(machine);
    }
  });
});

test('an orphan has been seen for the whole grace time, is listed, and is told once', () => {
  law((before, { listed, now, graceMs }, { orphans }) => {
    const keys = orphans.map((orphan) => driftKey(orphan) ?? '');
    expect(new Set(keys).size).toBe(keys.length);
    for (const [index, orphan] of orphans.entries()) {
      expect(listed).toContain(orphan);
      expect(now - (before.firstSeen[keys[index] ?? ''] ?? NaN)).toBeGreaterThanOrEqual(graceMs);
    }
  });
});

test('a machine that could not be read keeps all that is remembered of it', () => {
  law((before, { unreadable }, { memory }) => {
    const prefixes = unreadable.map((machine) => driftKey({ provider: '', machine, cdiDeviceId: '-', deviceId: '' }));
    const isOn = (key: string) => prefixes.some((prefix) => prefix?.split('/')[1] === key.split('/')[1]);
    for (const [key, time] of Object.entries(before.firstSeen)) if (isOn(key)) expect(memory.firstSeen[key]).toBe(time);
    for (const key of before.spared) if (isOn(key)) expect(memory.spared).toContain(key);
  }, devices);
});

test('the first sight of a device never moves while it is tracked, unless the clock was set back', () => {
  law((before, { now }, { memory }) => {
    for (const [key, time] of Object.entries(memory.firstSeen)) {
      const known = before.firstSeen[key];
      if (known !== undefined && known <= now) expect(time).toBe(known);
      else if (known !== undefined) expect(time).toBeLessThanOrEqual(known);
      else expect(time).toBe(now);
    }
  });
});

test('what is not listed any more, or has an owner, is forgotten where its machine was read', () => {
  law((_before, { listed, owned, unreadable }, { memory }) => {
    for (const one of listed) {
      const key = driftKey(one);
      if (key !== undefined && holdsOf(owned, one) && !unreadable.includes(one.machine))
        expect(Object.keys(memory.firstSeen)).not.toContain(key);
    }
    const keys = new Set(listed.map((one) => driftKey(one)));
    if (unreadable.length > 0) return;
    for (const key of Object.keys(memory.firstSeen)) expect(keys).toContain(key);
  });
});

test('changed says whether the memory differs, and the same sweep again changes nothing', () => {
  law((before, sweep, { memory, changed }) => {
    const sorted = (one: DriftMemory) => ({ firstSeen: one.firstSeen, spared: [...one.spared].sort() });
    if (!changed) expect(sorted(memory)).toEqual(sorted(before));
    else expect(memory).not.toEqual(before);
    expect(stepDrift(memory, sweep).changed).toBe(false);
    expect(stepDrift(memory, sweep).memory).toEqual(memory);
  }, devices);
});

test('a spared device is never an orphan; it stays spared until it leaves its machine or has an owner', () => {
  law((before, { listed, owned, unreadable }, { memory, orphans }) => {
    for (const key of before.spared) {
      const entries = listed.filter((one) => driftKey(one) === key);
      const isUnread = unreadable.some((machine) => entries.some((one) => one.machine === machine));
      const stays = entries.length > 0 && !entries.some((one) => holdsOf(owned, one));
      if (stays || isUnread) expect(memory.spared).toContain(key);
      if (stays) expect(orphans.map((orphan) => driftKey(orphan))).not.toContain(key);
      if (entries.length > 0 && !stays && !isUnread) expect(memory.spared).not.toContain(key);
    }
  }, devices);
});

test('keys tell devices apart whatever their ids are, and survive JSON', () => {
  const identity = ({ provider, machine, cdiDeviceId, deviceId }: ListedOnFabric) =>
    JSON.stringify([provider, machine, cdiDeviceId === '' ? deviceId : cdiDeviceId]);
  fc.assert(
    fc.property(device, device, (left, right) => {
      const keys = [driftKey(left), driftKey(right)];
      if (keys[0] === undefined) {
        expect([left.cdiDeviceId, left.deviceId]).toEqual(['', '']);
        return;
      }
      expect(keys[0] === keys[1]).toBe(identity(left) === identity(right));
      expect(JSON.parse(JSON.stringify(keys[0]))).toBe(keys[0]);
      expect(keys[0]).toMatch(/^[\w.:%-]*\/[\w.:%-]*\/[\w.:%-]+$/);
    }),
    { numRuns: 1000 },
  );
});
