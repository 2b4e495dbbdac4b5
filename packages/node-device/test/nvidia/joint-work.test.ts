import { expect, test } from 'vitest';
import { JointWork } from '../../src/nvidia/joint-work.ts';

const { signal } = new AbortController();

/** Work that waits for its turn, and then for its end; the names of those it was done for come out. */
function place() {
  const seen: string[] = [];
  const turns: (() => void)[] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const work = new JointWork<string, string>(async (_place, close, joint) => {
    await new Promise<void>((resolve, reject) => {
      turns.push(resolve);
      joint.addEventListener('abort', () => {
        seen.push('given up');
        reject(new Error('given up'));
      });
    });
    const names = close().join(' ');
    seen.push(names);
    await new Promise<void>((resolve, reject) => {
      ends.push((fault) => {
        if (fault === undefined) resolve();
        else reject(fault);
      });
    });
    return names;
  });
  const settle = () => new Promise(setImmediate);
  return {
    ...{ seen, settle },
    ask: (name: string, by: AbortSignal = signal) => work.ask('a', name, by),
    begin: async () => {
      await settle();
      turns.shift()?.();
      await settle();
    },
    end: (fault?: Error) => {
      ends.shift()?.(fault);
    },
  };
}

test('who asks before the work closes shares it; who asks later gets what is found out later', async () => {
  const { seen, ask, begin, end } = place();
  const first = ask('one');
  const second = ask('two');
  await begin();
  const third = ask('three');
  end();
  expect(await Promise.all([first, second])).toEqual(['one two', 'one two']);
  await begin();
  end();
  expect(await third).toBe('three');
  expect(seen).toEqual(['one two', 'three']);
});

test('who gives up takes it from nobody else', async () => {
  const { seen, ask, begin, end } = place();
  const stop = new AbortController();
  const given = ask('one', stop.signal);
  const other = ask('two');
  stop.abort(new Error('not needed'));
  await expect(given).rejects.toThrow('not needed');
  await begin();
  end();
  expect(await other).toBe('one two');
  expect(seen).toEqual(['one two']);
  await expect(ask('three', stop.signal)).rejects.toThrow('not needed');
});

test('what nobody waits for any more is given up, and keeps nobody who comes then', async () => {
  const { seen, ask, begin, end, settle } = place();
  const stop = new AbortController();
  const given = [ask('one', stop.signal), ask('two', stop.signal)];
  await settle();
  stop.abort(new Error('not needed'));
  const later = ask('three');
  for (const one of given) await expect(one).rejects.toThrow('not needed');
  await begin();
  await begin();
  end();
  expect(await later).toBe('three');
  expect(seen).toEqual(['given up', 'three']);
});

test('a fault reaches all, and the next one begins anew', async () => {
  const { ask, begin, end } = place();
  const both = Promise.allSettled([ask('one'), ask('two')]);
  await begin();
  end(new Error('a fault'));
  expect(await both).toMatchObject([{ reason: { message: 'a fault' } }, { reason: { message: 'a fault' } }]);
  const next = ask('three');
  await begin();
  end();
  expect(await next).toBe('three');
});
