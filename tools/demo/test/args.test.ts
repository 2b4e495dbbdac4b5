import { describe, expect, test } from 'vitest';
import { parseDemoArgs } from '../src/args.ts';

describe('arguments of the demo', () => {
  test('defaults depend on the terminal', () => {
    expect(parseDemoArgs([], true)).toEqual({ tag: 'ok', args: { fabric: 'fm', speed: 1, stay: true, keep: false } });
    expect(parseDemoArgs([], false)).toMatchObject({ args: { stay: false } });
  });

  test('can be set', () => {
    expect(parseDemoArgs(['--fabric', 'nec', '--speed', '4', '--no-stay', '--keep'], true)).toEqual({
      tag: 'ok',
      args: { fabric: 'nec', speed: 4, stay: false, keep: true },
    });
  });

  test('--help is printed', () => {
    expect(parseDemoArgs(['--help'], true)).toMatchObject({ tag: 'print' });
  });

  test.each([
    [['--speed=0'], /^--speed is '0'; accepted: a number from 0.1 to 100$/],
    [['--speed=fast'], /^--speed is 'fast'/],
    [['--fabric=x'], /^--fabric is 'x'; accepted: fm, cm, nec, sunfish$/],
    [['--nonsense'], /--nonsense.*see --help$/],
    [['word'], /word.*see --help$/],
  ])('%j is told in one line', (argv, line) => {
    const outcome = parseDemoArgs(argv, false);
    expect(outcome.tag === 'invalid' ? outcome.problem : '').toMatch(line);
  });
});
