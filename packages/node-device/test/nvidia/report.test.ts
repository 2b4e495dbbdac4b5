import { expect, test } from 'vitest';
import { readReport } from '../../src/nvidia/parse/report.ts';

test('lines of files are known by their paths, others by their first words', () => {
  const read = readReport(
    '/proc/driver/nvidia/gpus/0000:1f:00.0/information:Device Minor: \t 0\n/proc/modules:nvidia_uvm 1 0 - Live 0x0\n/proc/4711/cmdline\nmachine physical\nend\n',
  );
  if (read.tag === 'wrong') return expect.unreachable(read.message);
  const { of } = read.value;
  expect(of('gpu')).toEqual(['/proc/driver/nvidia/gpus/0000:1f:00.0/information:Device Minor: \t 0']);
  expect([of('module'), of('removing'), of('machine')]).toEqual([['nvidia_uvm'], ['4711'], ['physical']]);
  expect(of('holder')).toEqual([]);
});

test.each([
  'gpu /proc/driver/nvidia/gpus/x/information:y',
  'module nvidia',
  '/proc/1/comm',
  '/etc/passwd:root',
  'Binary',
])('a line that no script writes is refused: %s', (line) => {
  expect(readReport(`${line}\nend\n`)).toMatchObject({
    tag: 'wrong',
    message: expect.stringContaining(line) as string,
  });
});
