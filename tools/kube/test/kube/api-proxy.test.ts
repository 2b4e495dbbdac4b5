import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTAINER, NAMESPACE, POD, startProxiedWorld, type ExecWorld } from './support/exec-world.ts';
import { Gate, type Held, type Side } from './support/gate.ts';

/* Commands that are held at the gate of a proxy; that it lets all others through as they are is what exec.test.ts asks. */

const PATIENCE_MS = 30_000;

const gate = new Gate();
let world: ExecWorld;

beforeAll(async () => {
  world = await startProxiedWorld(gate);
});

afterAll(() => world.close());

function echo(word: string, signal?: AbortSignal) {
  const argv = ['echo', word];
  const request = { namespace: NAMESPACE, pod: POD, container: CONTAINER, argv, deadlineMs: 60_000 };
  return world.exec({ ...request, ...(signal && { signal }) });
}

function holding(side: Side): Promise<Held> {
  return gate.hold({ label: 'EXEC echo', nth: 1, side }, PATIENCE_MS);
}

describe('a command', () => {
  test('that is held on its way begins when it is let go', async () => {
    const held = holding('before');
    const before = world.commands();
    const outcome = echo('a');
    const { release } = await held;
    expect(world.commands()).toBe(before);
    release();
    expect(await outcome).toMatchObject({ tag: 'exited', stdout: 'a\n' });
  });

  test('that is dropped on its way never begins, which its sender cannot know', async () => {
    const held = holding('before');
    const before = world.commands();
    const outcome = echo('b');
    (await held).drop();
    expect(await outcome).toMatchObject({ tag: 'lost' });
    expect(world.commands()).toBe(before);
  });

  test('that is held when it has ended tells nothing before it is let go, and then all', async () => {
    const held = holding('after');
    const told: string[] = [];
    const outcome = echo('c').then((one) => {
      told.push(one.tag);
      return one;
    });
    const { release } = await held;
    expect(told).toEqual([]);
    release();
    expect(await outcome).toMatchObject({ tag: 'exited', stdout: 'c\n' });
  });

  test('whose answer is dropped has run, and its sender does not know', async () => {
    const held = holding('after');
    const before = world.commands();
    const outcome = echo('d');
    (await held).drop();
    expect(await outcome).toMatchObject({ tag: 'lost' });
    expect(world.commands()).toBe(before + 1);
  });

  test('begins when it is let go, although its sender has left', async () => {
    const held = holding('before');
    const stop = new AbortController();
    const outcome = echo('e', stop.signal);
    const { release } = await held;
    stop.abort();
    expect(await outcome).toEqual({ tag: 'aborted' });
    const begins = world.nextCommand();
    release();
    await begins;
  });
});
