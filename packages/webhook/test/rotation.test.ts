import type { Cancel } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_POLICY,
  decideRotation,
  switchAfter,
  type RotationPolicy,
  type RotationState,
  type ServedFacts,
  type ServingFacts,
} from '../src/index.ts';
import { Replica, Shared } from './support/rotation-model.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1);

const serving: ServingFacts = {
  issuer: 'new',
  notBefore: NOW - 2 * DAY,
  notAfter: NOW + 88 * DAY,
  coversNames: true,
};
const newest = { fingerprint: 'new', notAfter: NOW + 300 * DAY };
const old = { fingerprint: 'old', notAfter: NOW + 100 * DAY };

function state(secret: object, trusted: readonly string[] = ['new'], forMs = DAY): RotationState {
  return {
    secret: { tag: 'present', newest, older: [], serving, ...secret },
    configuration: { tag: 'present', trusted: trusted.map((fingerprint) => ({ fingerprint, forMs })) },
  };
}

describe('the next action', () => {
  test.each<[string, RotationState, object]>([
    ['no Secret', { secret: { tag: 'missing' }, configuration: { tag: 'missing' } }, { tag: 'create' }],
    [
      'a Secret that cannot be used',
      { secret: { tag: 'malformed', problem: 'ca.crt: found no certificate' }, configuration: { tag: 'missing' } },
      { tag: 'reset', problem: 'ca.crt: found no certificate' },
    ],
    ['all well', state({}), { tag: 'wait', forMs: HOUR }],
    ['no configuration yet', { ...state({}), configuration: { tag: 'missing' } }, { tag: 'wait', forMs: HOUR }],
    ['not trusted', state({}, []), { tag: 'inject' }],
    ['somebody else is trusted', state({}, ['other']), { tag: 'inject' }],
    ['somebody else is trusted too', state({}, ['new', 'other']), { tag: 'inject' }],
    ['the old one is not trusted', state({ older: [old] }), { tag: 'inject' }],
    ['the authority ages', state({ newest: { ...newest, notAfter: NOW + 120 * DAY } }), { tag: 'addAuthority' }],
    ['the certificate ages', state({ serving: { ...serving, notAfter: NOW + 30 * DAY } }), { tag: 'issueServing' }],
    ['the names changed', state({ serving: { ...serving, coversNames: false } }), { tag: 'issueServing' }],
    [
      'a new authority, trusted long enough',
      state({ older: [old], serving: { ...serving, issuer: 'old' } }, ['new', 'old'], 10 * SECOND),
      { tag: 'issueServing' },
    ],
    [
      'a new authority, trusted for a moment',
      state({ older: [old], serving: { ...serving, issuer: 'old' } }, ['new', 'old'], 4 * SECOND),
      { tag: 'wait', forMs: 6 * SECOND },
    ],
    [
      'the old authority, just after the switch',
      state({ older: [old], serving: { ...serving, notBefore: NOW - HOUR - 1800 * SECOND } }, ['new', 'old']),
      { tag: 'wait', forMs: 1800 * SECOND },
    ],
    [
      'the old authority, when all have switched',
      state({ older: [old] }, ['new', 'old']),
      { tag: 'retire', fingerprints: ['old'] },
    ],
  ])('%s', (_name, facts, action) => {
    expect(decideRotation(facts, DEFAULT_POLICY, NOW)).toEqual(action);
  });

  test('wakes at the moment when something is due', () => {
    const due = { ...serving, notAfter: NOW + 30 * DAY + 5 * SECOND };
    expect(decideRotation(state({ serving: due }), DEFAULT_POLICY, NOW)).toEqual({ tag: 'wait', forMs: 5 * SECOND });
  });
});

describe('which certificate is served', () => {
  const served = { fingerprint: 'a', issuer: 'old', notAfter: NOW + DAY };
  const stored = { fingerprint: 'b', issuer: 'new', notAfter: NOW + 2 * DAY };

  const trust = (fingerprint: string, forMs: number) => ({ fingerprint, forMs });

  test.each([
    ['anything is better than nothing', undefined, stored, [], 0],
    ['the same one needs no switch', served, served, [trust('old', DAY)], Infinity],
    ['one that every API server trusts is taken', served, stored, [trust('old', DAY), trust('new', 10 * SECOND)], 0],
    ['one that is trusted for a moment has to wait', served, stored, [trust('new', 4 * SECOND)], 6 * SECOND],
    ['one that is not trusted waits until ours expires', served, stored, [trust('old', DAY)], DAY],
    ['when ours has expired there is nothing to lose', { ...served, notAfter: NOW - 1 }, stored, [], 0],
  ])('%s', (_name, current, next, trustedNow, afterMs) => {
    expect(switchAfter(current, next, trustedNow, DEFAULT_POLICY, NOW)).toBe(afterMs);
  });
});

/** Lives short enough that a month of virtual time holds many rotations. */
const quick: RotationPolicy = {
  ...DEFAULT_POLICY,
  authorityLifetimeMs: 8 * DAY,
  authorityRenewMs: 3 * DAY,
  servingLifetimeMs: 2 * DAY,
  servingRenewMs: DAY,
};

test('law: over many rotations and a lost Secret, with several replicas and late views, what is served is trusted and valid', async () => {
  const lags: fc.Arbitrary<Iterator<number, undefined>> = fc.infiniteStream(fc.integer({ min: 0, max: 3 * SECOND }));
  await fc.assert(
    fc.asyncProperty(lags, fc.integer({ min: 1, max: 3 }), async (lag, count) => {
      const clock = new VirtualClock(NOW);
      const shared = new Shared(clock, quick);
      const replicas = Array.from({ length: count }, () => new Replica(shared));
      const timers = new Map<Replica, Cancel>();
      const run = (replica: Replica): void => {
        const before = shared.writes;
        const wait = replica.step();
        checkServed(replicas, shared);
        timers.get(replica)?.();
        timers.set(
          replica,
          clock.after(wait ?? 5 * SECOND, () => {
            run(replica);
          }),
        );
        if (shared.writes !== before) deliver();
      };
      // The watch tells everybody, the API server that calls us among them, each at its own time and in any order.
      const deliver = () => {
        clock.after(lag.next().value ?? 0, () => {
          shared.enforced = shared.configuration;
          checkServed(replicas, shared);
        });
        for (const replica of replicas) {
          for (const what of ['secret', 'configuration'] as const) {
            clock.after(lag.next().value ?? 0, () => {
              replica.see(what);
              run(replica);
            });
          }
        }
      };
      for (const replica of replicas) run(replica);
      await clock.advance(14 * DAY + (lag.next().value ?? 0));
      shared.secret = undefined;
      deliver();
      await clock.advance(16 * DAY);
      expect(replicas.every(({ served }) => served !== undefined && trusted(served, shared))).toBe(true);
      // Five authorities at five writes each, and a certificate a day: nothing flaps, nothing is left out.
      expect(shared.writes).toBeGreaterThan(40);
      expect(shared.writes).toBeLessThan(70);
    }),
    { numRuns: 10 },
  );
});

function checkServed(replicas: readonly Replica[], shared: Shared): void {
  for (const { served } of replicas) {
    if (served === undefined) continue;
    expect(served.notAfter).toBeGreaterThan(shared.clock.now());
    // Only before the very first injection may something be served that nobody trusts yet.
    expect(trusted(served, shared) || shared.enforced.trusted.length === 0).toBe(true);
  }
}

function trusted(served: ServedFacts, shared: Shared): boolean {
  return shared.enforced.trusted.includes(served.issuer);
}
