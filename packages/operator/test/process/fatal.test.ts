import { expect, test } from 'vitest';
import { fatalLines } from '../../src/process/fatal.ts';

test('one line for each problem, whatever is in it', () => {
  expect(fatalLines('operator', ['first', 'second\nwith a break \u001b[31m'])).toBe(
    'operator: first\noperator: second\\u000awith a break \\u001b[31m\n',
  );
});
