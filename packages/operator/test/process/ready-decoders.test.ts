import { VirtualClock } from '@cro/clock/testing';
import { expect, test } from 'vitest';
import { readyDecoders } from '../../src/main/ready-decoders.ts';

test('decoders are made ready one in a turn, and whatever waits meanwhile comes in between', async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const kind = (name: string) => ({
    decode: (value: unknown) => {
      seen.push(`${name} ${String(value)}`);
      clock.after(0, () => seen.push('others'));
      return { tag: 'malformed', message: 'nothing' } as const;
    },
  });
  const ready = readyDecoders([kind('a'), kind('b')], clock);
  expect(seen).toEqual([]);
  await clock.advance(0);
  await ready;
  expect(seen.slice(0, 3)).toEqual(['a undefined', 'others', 'b undefined']);
});
