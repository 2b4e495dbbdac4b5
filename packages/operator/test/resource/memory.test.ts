import { expect, it } from 'vitest';
import { Memories } from '../../src/resource/memory.ts';

function memories() {
  const ended: string[] = [];
  return { ended, memories: new Memories((name, uid) => ended.push(`${name} ${uid}`)) };
}

it('what is kept for an object ends with it: what runs is given up, and then whoever kept something is told', () => {
  const { ended, memories: all } = memories();
  const abort = new AbortController();
  abort.signal.addEventListener('abort', () => ended.push('given up'));
  all.of('gpu-1', 'a').running = { request: 'drain', queued: false, abort };
  all.forget('gpu-1');
  all.forget('gpu-1');
  expect(ended).toEqual(['given up', 'gpu-1 a']);
});

it('and so it does where another object has its name by the time that it is looked at', () => {
  const { ended, memories: all } = memories();
  const first = all.of('gpu-1', 'a');
  expect(all.of('gpu-1', 'a')).toBe(first);
  expect(ended).toEqual([]);
  expect(all.of('gpu-1', 'b')).not.toBe(first);
  expect(ended).toEqual(['gpu-1 a']);
});
