import { WaitingLine } from '@cro/kube-runtime';
import { expect, test } from 'vitest';

test('who came first is called first; who gives up is not called, and nobody is called twice', async () => {
  const line = new WaitingLine();
  const stop = new AbortController();
  const ends = [line.join(), line.join(stop.signal), line.join()];
  expect(line.length).toBe(3);
  stop.abort(new Error('not needed'));
  expect(line.length).toBe(2);
  expect([line.callNext(), line.length]).toEqual([true, 1]);
  expect(line.callNext()).toBe(true);
  expect(line.callNext()).toBe(false);
  expect(await Promise.all(ends)).toEqual(['called', 'left', 'called']);
});

test('who has given up before does not wait', async () => {
  const line = new WaitingLine();
  expect(await line.join(AbortSignal.abort(new Error('not needed')))).toBe('left');
  expect(line.length).toBe(0);
});
