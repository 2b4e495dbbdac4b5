import { expect, test } from 'vitest';
import { outcomeOfStatus } from '../src/exec/outcome.ts';
import { Output } from '../src/exec/output.ts';

const POST = 'Internal error occurred: error sending request: Post "https://10.0.0.1:10250/exec/ns/pod/c"';

test.each([
  [`${POST}: dial tcp 10.0.0.1:10250: connect: connection refused`, 'unreachable'],
  ['Internal error occurred: error dialing backend: proxy error', 'unreachable'],
  ['unable to upgrade connection: container not found ("c")', 'unreachable'],
  // It may have reached the kubelet, and begun.
  [`${POST}: EOF`, 'lost'],
  [`${POST}: read tcp 10.0.0.2:1->10.0.0.1:10250: read: connection reset by peer`, 'lost'],
  ['Timeout occurred', 'lost'],
])('%s: %s', (message, tag) => {
  expect(outcomeOfStatus(JSON.stringify({ status: 'Failure', message }), '', '')).toEqual({ tag, message });
});

test('of what a kubelet sends no more than a few kilobytes are a message, and are looked at', () => {
  const message = 'error sending request: '.repeat(100_000);
  const outcome = outcomeOfStatus(JSON.stringify({ status: 'Failure', message }), '', '');
  expect(outcome).toEqual({ tag: 'lost', message: message.slice(0, 4_096) });
});

test('an exit code is a number that a process can end with', () => {
  const causes = [{ reason: 'ExitCode', message: '9'.repeat(400) }];
  const status = { status: 'Failure', message: 'command terminated', details: { causes } };
  expect(outcomeOfStatus(JSON.stringify(status), '', '')).toEqual({ tag: 'lost', message: 'command terminated' });
});

test('the bytes of an output are kept, and not the messages in which they came', () => {
  const output = new Output(5);
  const chunk = Buffer.from('ab');
  expect(output.add(chunk)).toBe('kept');
  chunk.fill('x');
  expect(output.add(Buffer.alloc(0))).toBe('kept');
  expect(output.add(Buffer.from('cd'))).toBe('kept');
  expect(output.add(Buffer.from('ef'))).toBe('full');
  expect(output.add(Buffer.from('g'))).toBe('kept');
  expect(output.text).toBe('abcdg');
});
