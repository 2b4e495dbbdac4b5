import { expect, test } from 'vitest';
import { parseBenchArgs } from '../src/args.ts';

test('everything runs unless told otherwise', () => {
  const outcome = parseBenchArgs([]);
  if (outcome.tag !== 'ok') throw new Error(outcome.tag);
  const { benches, ...rest } = outcome.args;
  expect(benches.map(({ name }) => name)).toEqual([
    'latency',
    'machines',
    'burst',
    'burst-on-nodes',
    'give-back',
    'steady',
    'memory',
    'crash',
    'list',
  ]);
  expect(rest).toEqual({ quick: false, jsonPath: 'bench-results/latest.json', operatorFlags: [] });
});

test('some run, in the order of the list', () => {
  const argv = ['--only', 'crash,latency', '--quick', '--json', 'a.json', '--operator-flag=--cpu-prof'];
  const outcome = parseBenchArgs(argv);
  if (outcome.tag !== 'ok') throw new Error(outcome.tag);
  const { benches, ...rest } = outcome.args;
  expect(benches.map(({ name }) => name)).toEqual(['latency', 'crash']);
  expect(rest).toEqual({ quick: true, jsonPath: 'a.json', operatorFlags: ['--cpu-prof'] });
});

test('what is not known is refused with what is accepted', () => {
  expect(parseBenchArgs(['--only', 'latency,speed'])).toEqual({
    tag: 'invalid',
    problem:
      "--only names 'speed'; accepted: latency, machines, burst, burst-on-nodes, give-back, steady, memory, crash, list",
  });
  const outcome = parseBenchArgs(['--fast']);
  expect(outcome.tag === 'invalid' && outcome.problem).toContain("'--fast'");
});

test('--help names every benchmark', () => {
  const outcome = parseBenchArgs(['--help']);
  expect(outcome.tag === 'print' && outcome.text).toMatch(/latency[\s\S]*steady[\s\S]*crash/);
});
