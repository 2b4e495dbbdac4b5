import { expect, test } from 'vitest';
import { noNodeActions } from '../src/index.ts';

test('no node actions: says so once, and is in nobody’s way', async () => {
  const lines: string[] = [];
  const actions = noNodeActions({ warn: (message) => lines.push(message) });
  expect(lines).toEqual([expect.stringMatching(/^no node actions: /)]);
  const { signal } = new AbortController();
  const ref = { node: 'worker-0', deviceId: 'GPU-a', resource: 'gpu-1' };
  const question = { node: 'worker-0', resource: 'gpu-1', hints: { serialNumber: '1' }, before: undefined, taken: [] };
  const done = { tag: 'done' };
  expect(await actions.ensureDriver('worker-0', signal)).toEqual(done);
  expect(await actions.refresh(ref, 'visible', signal)).toEqual(done);
  expect(await actions.findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(await actions.findAllocation(ref)).toEqual({ tag: 'idle' });
  expect(await actions.drain({ ...ref, force: false }, signal)).toEqual(done);
  expect(await actions.identify(question, signal)).toMatchObject({ tag: 'notYet' });
  expect(lines).toHaveLength(1);
});
