import { expect, test } from 'vitest';
import { limitExec, type ExecOutcome, type ExecRequest } from '../src/exec.ts';
import { RuntimeMetrics } from '../src/index.ts';

const done: ExecOutcome = { tag: 'exited', code: 0, stdout: '', stderr: '' };

/** An exec whose commands run until they are ended, and the order in which they began. */
function world(atOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const metrics = new RuntimeMetrics();
  const run = limitExec(
    ({ pod }) => {
      begun.push(pod);
      return new Promise((resolve, reject) => {
        ends.set(pod, (error) => {
          if (error === undefined) resolve(done);
          else reject(error);
        });
      });
    },
    { atOnce, metrics: metrics.exec },
  );
  const start = (pod: string, more: Partial<ExecRequest> = {}) =>
    run({ namespace: 'n', pod, container: 'c', argv: ['x'], deadlineMs: 1_000, ...more });
  const counts = async () => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('kube_runtime_execs_')).map((line) => Number(line.split(' ')[1]));
  };
  return { begun, start, counts, end: (pod: string, error?: Error) => ends.get(pod)?.(error) };
}

test('no more commands than may run; the others wait in their order, and are counted', async () => {
  const { begun, start, counts, end } = world(2);
  const all = ['a', 'b', 'c', 'd'].map((pod) => start(pod));
  expect(begun).toEqual(['a', 'b']);
  expect(await counts()).toEqual([2, 2]);
  end('b');
  expect(await all[1]).toEqual(done);
  const late = start('e');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await Promise.all([all[0], all[2]]);
  expect(await counts()).toEqual([2, 0]);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  end('d');
  end('e');
  expect(await Promise.all([all[3], late])).toEqual([done, done]);
  expect(await counts()).toEqual([0, 0]);
});

test('who waits may give up: nothing is sent, and nobody waits behind it', async () => {
  const { begun, start, counts, end } = world(1);
  const stop = new AbortController();
  const first = start('a');
  const given = start('b', { signal: stop.signal });
  const third = start('c');
  stop.abort();
  expect(await given).toEqual({ tag: 'aborted' });
  expect(await counts()).toEqual([1, 1]);
  end('a');
  await first;
  end('c');
  expect(await third).toEqual(done);
  expect(begun).toEqual(['a', 'c']);
  expect(await start('d', { signal: stop.signal })).toEqual({ tag: 'aborted' });
  expect(begun).toEqual(['a', 'c']);
});

test('a command that throws gives its place back', async () => {
  const { start, end } = world(1);
  const first = start('a');
  const second = start('b');
  end('a', new Error('a fault'));
  await expect(first).rejects.toThrow('a fault');
  end('b');
  expect(await second).toEqual(done);
});
