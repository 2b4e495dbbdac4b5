import { VirtualClock } from '@cro/clock/testing';
import { expect, test } from 'vitest';
import { heapFollowsWork } from '../../src/main/heap-follows-work.ts';

const MIB = 1024 * 1024;

function watch() {
  const clock = new VirtualClock();
  const world = { share: 0, young: MIB, flags: new Set<string>() };
  const set = (flag: string) => {
    world.flags.delete(flag.replace(/^--no-/, '--'));
    world.flags.delete(flag.replace(/=.*/, flag.endsWith('=1') ? '=2' : '=1'));
    world.flags.delete(flag.replace(/^--(?!no-)/, '--no-'));
    world.flags.add(flag);
  };
  const end = new AbortController();
  heapFollowsWork({ busyShare: () => world.share, youngBytes: () => world.young, set }, clock, end.signal);
  return { clock, world, end };
}

const ROOMY = ['--no-optimize-for-size', '--semi-space-growth-factor=2'];
const SMALL = ['--optimize-for-size', '--semi-space-growth-factor=1'];

test('a moment of work changes nothing; a second of it makes room; ten calm seconds give it back', async () => {
  const { clock, world, end } = watch();
  world.share = 1;
  await clock.advance(500);
  world.share = 0.3;
  await clock.advance(5_000);
  expect([...world.flags]).toEqual([]);
  world.share = 1;
  await clock.advance(1_000);
  expect([...world.flags]).toEqual(ROOMY);
  world.share = 0.3;
  await clock.advance(60_000);
  expect([...world.flags]).toEqual(ROOMY);
  world.share = 0.01;
  await clock.advance(9_000);
  expect([...world.flags]).toEqual(ROOMY);
  await clock.advance(2_000);
  expect([...world.flags]).toEqual(SMALL);
  end.abort();
});

test('what V8 takes for new objects grows no further than a pod bears, and after the end nothing is set', async () => {
  const { clock, world, end } = watch();
  world.share = 1;
  await clock.advance(2_000);
  world.young = 64 * MIB;
  await clock.advance(1_000);
  expect([...world.flags]).toEqual(['--no-optimize-for-size', '--semi-space-growth-factor=1']);
  end.abort();
  world.share = 0;
  await clock.advance(60_000);
  expect([...world.flags]).toEqual(['--no-optimize-for-size', '--semi-space-growth-factor=1']);
});
