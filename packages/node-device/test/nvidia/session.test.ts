import { VirtualClock } from '@cro/clock/testing';
import type { ExecOutcome } from '@cro/kube-runtime/exec';
import { expect, test } from 'vitest';
import { inTime, Session } from '../../src/nvidia/session.ts';
import { Turns } from '../../src/nvidia/turns.ts';

const place = { driver: 'container', namespace: 'gpu-operator', pod: 'driver-x', container: 'ctr' } as const;
const command = { doing: 'looking', argv: ['/bin/true'], deadlineMs: 15_000 };

function session(outcome: ExecOutcome, signal = new AbortController().signal) {
  return new Session('worker-0', place, () => Promise.resolve(outcome), signal);
}

test.each([
  [{ tag: 'notFound', message: 'pod does not exist' }, 'Unreachable', 'pod does not exist'],
  [{ tag: 'unreachable', message: 'no\nroute' }, 'Unreachable', 'no route'],
  [{ tag: 'refused', status: 403, message: 'forbidden' }, 'Blocked', 'the API server refused it (403): forbidden'],
  [{ tag: 'failed', message: 'no such file' }, 'Blocked', 'no such file'],
  [{ tag: 'tooMuchOutput', maxOutputBytes: 5 }, 'Protocol', 'it wrote more than 5 bytes'],
  [{ tag: 'lost', message: 'cut off' }, 'InDoubt', 'cut off'],
  [{ tag: 'timedOut', deadlineMs: 15_000 }, 'InDoubt', 'it did not end within 15 s; it is looked at again'],
] as const)('%o is told with where it was run', async (outcome, kind, words) => {
  const message = `looking on node worker-0 (pod gpu-operator/driver-x): ${words}`;
  expect(await session(outcome).run(command)).toEqual({ tag: 'failed', failure: { kind, message } });
});

test('what stderr warns of is no failure; an exit code is one for who reads', async () => {
  const warned = session({ tag: 'exited', code: 0, stdout: 'yes\n', stderr: 'a warning' });
  const parse = (text: string) => ({ tag: 'ok', value: text.trim() }) as const;
  expect(await warned.read(command, parse)).toEqual({ tag: 'read', value: 'yes' });
  const failed = session({ tag: 'exited', code: 9, stdout: '', stderr: '' });
  expect(await failed.read(command, parse)).toMatchObject({
    failure: { kind: 'Blocked', message: expect.stringMatching(/it ended with 9: it said nothing$/) as string },
  });
});

test('what is not understood is told with what was complained of', async () => {
  const puzzling = session({ tag: 'exited', code: 0, stdout: 'x', stderr: '/usr/bin/nvidia-smi:\nnot found' });
  const parse = () => ({ tag: 'wrong', message: 'list: "x" was found' }) as const;
  const message = expect.stringMatching(
    /: list: "x" was found \(stderr: \/usr\/bin\/nvidia-smi: not found\)$/,
  ) as string;
  expect(await puzzling.read(command, parse)).toMatchObject({ failure: { kind: 'Protocol', message } });
});

test('what a node says is told on one printable line of bounded length, whatever part of a message it is', () => {
  const { failure } = session({ tag: 'aborted' }).failed(command, 'Busy', `\u001b[2J\u202e\0${'x\n'.repeat(100_000)}`);
  expect(failure.message).toMatch(/^looking on node worker-0 \(pod gpu-operator\/driver-x\): \[2J x x x [x ]*…$/);
  expect(failure.message).toHaveLength(1_024);
});

test('an aborted signal rejects with its reason, and runs nothing more', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopping'));
  await expect(session({ tag: 'aborted' }, stop.signal).run(command)).rejects.toThrow('stopping');
});

test('an action that takes too long ends as in doubt; one that is aborted rejects; a fault stays one', async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const forever = (inner: AbortSignal) =>
    new Promise<never>((_, reject) => {
      inner.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
  const late = inTime('worker-0', clock, signal, forever);
  await clock.advance(240_000);
  expect(await late).toMatchObject({ tag: 'failed', failure: { kind: 'InDoubt' } });
  const stop = new AbortController();
  const stopped = inTime('worker-0', clock, stop.signal, forever);
  stop.abort(new Error('stopping'));
  await expect(stopped).rejects.toThrow('stopping');
  await expect(inTime('worker-0', clock, signal, () => Promise.reject(new Error('a fault')))).rejects.toThrow(
    'a fault',
  );
  expect(clock.pending).toBe(0);
});

/** Somebody has the turn on node `a`, until `end`. */
function held() {
  const turns = new Turns();
  const { signal } = new AbortController();
  const seen: string[] = [];
  let end = (): void => undefined;
  const first = turns.take('a', signal, async (next) => {
    await new Promise<void>((resolve) => (end = resolve));
    seen.push(`first, next ${String(next())}`);
  });
  return {
    ...{ turns, signal, seen, first },
    end: () => {
      end();
    },
  };
}

test('one at a time on a node, nodes in parallel; who gives up keeps nobody waiting', async () => {
  const { turns, signal, seen, first, end } = held();
  const stop = new AbortController();
  const given = turns.take('a', stop.signal, () => Promise.resolve(seen.push('given up')));
  const third = turns.take('a', signal, (next) => Promise.resolve(seen.push(`third, next ${String(next())}`)));
  await turns.take('b', signal, () => Promise.resolve(seen.push('other node')));
  stop.abort(new Error('not needed'));
  await expect(given).rejects.toThrow('not needed');
  expect(seen).toEqual(['other node']);
  end();
  await Promise.all([first, third]);
  expect(seen).toEqual(['other node', 'first, next true', 'third, next false']);
  await expect(turns.take('a', stop.signal, () => Promise.resolve())).rejects.toThrow('not needed');
});

test('who gives up while another works lets nobody in beside that, and is nobody who waits', async () => {
  const { turns, signal, seen, first, end: endFirst } = held();
  let end = (): void => undefined;
  const stop = new AbortController();
  const given = turns.take('a', stop.signal, () => Promise.resolve());
  stop.abort(new Error('not needed'));
  await expect(given).rejects.toThrow('not needed');
  endFirst();
  await first;
  const second = turns.take('a', signal, () => new Promise<void>((resolve) => (end = resolve)));
  const stopToo = new AbortController();
  const givenToo = turns.take('a', stopToo.signal, () => Promise.resolve());
  stopToo.abort(new Error('not needed either'));
  await expect(givenToo).rejects.toThrow('not needed either');
  const third = turns.take('a', signal, () => Promise.resolve(seen.push('third')));
  await Promise.resolve();
  seen.push('second ends');
  end();
  await Promise.all([second, third]);
  expect(seen).toEqual(['first, next false', 'second ends', 'third']);
});

test('a turn whose work failed is over', async () => {
  const turns = new Turns();
  const { signal } = new AbortController();
  await expect(turns.take('a', signal, () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  expect(await turns.take('a', signal, () => Promise.resolve('next'))).toBe('next');
});
