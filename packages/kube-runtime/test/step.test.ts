import { describe, expect, it } from 'vitest';
import type { WatchInput, WatchState } from '../src/watch/state.ts';
import { start, step } from '../src/watch/step.ts';

const error = (status: number, retryAfterMs?: number) => ({
  status,
  reason: 'Test',
  message: 'made up',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

const states: readonly WatchState[] = [
  start,
  { tag: 'listing', continueToken: 't', snapshot: '7', known: '5', failures: 2 },
  { tag: 'watching', resourceVersion: '7', openedAt: 0, delivered: false, listed: true, failures: 0 },
  { tag: 'waiting', delayMs: 800, resume: '7', failures: 1 },
];
const inputs: readonly WatchInput[] = [
  { tag: 'item', value: {} },
  { tag: 'page', resourceVersion: '7' },
  { tag: 'added', value: {}, resourceVersion: '8' },
  { tag: 'modified', value: {}, resourceVersion: '8' },
  { tag: 'deleted', value: {}, resourceVersion: '8' },
  { tag: 'bookmark', resourceVersion: '8' },
  { tag: 'closed' },
  { tag: 'failed', error: error(500) },
  { tag: 'garbled', message: 'no JSON' },
  { tag: 'elapsed' },
];
const belongs: Readonly<Record<WatchState['tag'], readonly WatchInput['tag'][]>> = {
  listing: ['item', 'page', 'failed', 'garbled'],
  watching: ['added', 'modified', 'deleted', 'bookmark', 'closed', 'failed', 'garbled'],
  waiting: ['elapsed'],
};
const moment = { at: 10_000, random: 0.5 };

const watching: WatchState = {
  tag: 'watching',
  resourceVersion: '7',
  openedAt: 9_000,
  delivered: false,
  listed: false,
  failures: 0,
};

describe('step', () => {
  it.each(states.flatMap((state) => inputs.map((input) => ({ state, input }))))(
    'keeps its state when $input.tag does not belong to $state.tag',
    ({ state, input }) => {
      const next = step(state, input, moment);
      const stays = next.state === state && next.effects.length === 0;
      expect(stays).toBe(!belongs[state.tag].includes(input.tag));
    },
  );

  it('takes the snapshot of the first page for the whole list', () => {
    const first = step(start, { tag: 'page', resourceVersion: '7', continueToken: 't' }, moment).state;
    expect(step(first, { tag: 'page', resourceVersion: '9' }, moment)).toMatchObject({
      state: { tag: 'watching', resourceVersion: '7' },
      effects: [{ tag: 'commit', version: '7' }],
    });
  });

  it('lists anew at once on a first 410, and waits from the second in a row on', () => {
    const first = step(watching, { tag: 'failed', error: error(410) }, moment);
    expect(first).toMatchObject({ state: { tag: 'listing', known: '7' }, effects: [{ tag: 'begin' }] });
    const watchingAgain = step(first.state, { tag: 'page', resourceVersion: '8' }, moment).state;
    const second = step(watchingAgain, { tag: 'failed', error: error(410) }, moment);
    expect(second).toMatchObject({ state: { tag: 'waiting', known: '8' }, effects: [{ tag: 'report' }] });
    expect(second.state).not.toHaveProperty('resume');
  });

  it('lists anew at once when a server that was away remembers nothing, however often it failed before', () => {
    const away = step(watching, { tag: 'failed', error: error(503) }, moment).state;
    const resumed = step(away, { tag: 'elapsed' }, moment).state;
    expect(resumed).toMatchObject({ tag: 'watching', failures: 1 });
    const next = step(resumed, { tag: 'failed', error: error(410) }, moment);
    expect(next).toMatchObject({ state: { tag: 'listing', known: '7', failures: 1 }, effects: [{ tag: 'begin' }] });
  });

  it('lists anew after a clean end that came at once and without a word', () => {
    expect(step(watching, { tag: 'closed' }, moment).state).toMatchObject({ tag: 'waiting', known: '7' });
    expect(step(watching, { tag: 'closed' }, moment).state).not.toHaveProperty('resume');
    const delivered = { ...watching, delivered: true };
    expect(step(delivered, { tag: 'closed' }, moment).state).toMatchObject({ tag: 'waiting', resume: '7' });
    const old = { ...watching, openedAt: 0, failures: 3 };
    expect(step(old, { tag: 'closed' }, moment).state).toEqual({ ...old, openedAt: 10_000, failures: 0 });
  });

  it.each([0, 429, 500, 503])('resumes after %i', (status) => {
    expect(step(watching, { tag: 'failed', error: error(status) }, moment).state).toMatchObject({ resume: '7' });
  });

  it.each([401, 403])(
    'goes on from where it was after %i: a server that has just started knows no roles yet',
    (status) => {
      const { state } = step(watching, { tag: 'failed', error: error(status) }, moment);
      expect(state).toMatchObject({ tag: 'waiting', resume: '7' });
    },
  );

  it('looks a minute later after an object was read by itself', () => {
    const polled = step({ tag: 'listing', failures: 2 }, { tag: 'polled', resourceVersion: '9' }, moment);
    expect(polled.effects).toEqual([{ tag: 'commit', version: '9' }]);
    expect(polled.state).toEqual({ tag: 'waiting', delayMs: 60_000, failures: 0 });
  });

  it.each([400, 404, 422])('lists anew after %i', (status) => {
    const { state } = step(watching, { tag: 'failed', error: error(status) }, moment);
    expect(state).toMatchObject({ tag: 'waiting', known: '7' });
    expect(state).not.toHaveProperty('resume');
  });

  it('waits longer from failure to failure', () => {
    const delays: number[] = [];
    let state: WatchState = start;
    for (let failures = 0; failures < 8; failures += 1) {
      state = step(state, { tag: 'failed', error: error(500) }, { at: 0, random: 0.999_999 }).state;
      if (state.tag === 'waiting') delays.push(state.delayMs);
      state = step(state, { tag: 'elapsed' }, moment).state;
    }
    expect(delays).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
    expect(step(start, { tag: 'failed', error: error(500) }, { at: 0, random: 0 }).state).toMatchObject({
      delayMs: 400,
    });
  });

  it('waits as long as the server asks, and then by jitter: watches that were turned away together do not meet again', () => {
    const turnedAway = { tag: 'failed', error: error(429, 60_000) } as const;
    const delays = [0, 0.5, 0.999_999].map((random) => {
      const { state } = step(start, turnedAway, { at: 0, random });
      return state.tag === 'waiting' ? state.delayMs : undefined;
    });
    expect(delays).toEqual([60_400, 60_600, 60_800]);
  });

  it('begins anew with its waits once something came', () => {
    const late = { ...watching, failures: 5 };
    const { state } = step(late, { tag: 'bookmark', resourceVersion: '9' }, moment);
    expect(state).toEqual({ ...late, resourceVersion: '9', delivered: true, failures: 0 });
  });
});
