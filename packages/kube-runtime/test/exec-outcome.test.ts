import { expect, test } from 'vitest';
import { outcomeOfStatus } from '../src/exec/outcome.ts';

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
