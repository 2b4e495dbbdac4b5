import { describe, expect, test } from 'vitest';
import { openRedfish } from './support/fabric.ts';
import { attachedTo, sentWith, stepsOn } from './support/steps.ts';

const slow = { asynchronous: true, attachMs: 30_000, detachMs: 5_000 } as const;

/** An attach that the service has accepted. */
async function accepted(options: Parameters<typeof openRedfish>[0] = {}) {
  const fabric = openRedfish({ ...slow, ...options });
  const steps = stepsOn(fabric);
  const started = await steps.attach();
  if (started.tag !== 'pending' || started.ticket === undefined) throw new Error(started.tag);
  return { fabric, steps, ticket: started.ticket, retryAfterMs: started.retryAfterMs };
}

describe('a change that the service accepts', () => {
  test('is asked for at its monitor, one call a look, until it is done', async () => {
    const { fabric, steps, ticket } = await accepted();
    const before = fabric.sent.length;
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'pending' });
    expect(fabric.sent.length).toBe(before + 1);
    await fabric.clock.advance(30_000);
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'done' });
    expect(attachedTo(fabric)).toHaveLength(1);
    expect(sentWith(fabric, 'PATCH')).toHaveLength(1);
  });

  test('is found by a process that starts in the middle of it', async () => {
    const { fabric, ticket } = await accepted();
    const later = stepsOn(fabric, fabric.restart());
    expect(await later.resume(ticket)).toMatchObject({ tag: 'pending' });
    await fabric.clock.advance(30_000);
    expect(await later.resume(ticket)).toMatchObject({ tag: 'done' });
    expect(sentWith(fabric, 'PATCH')).toHaveLength(1);
  });

  test.each(['Exception', 'Cancelled', 'Killed'] as const)('and that ends as %s has changed nothing', async (state) => {
    const fabric = openRedfish(slow);
    const steps = stepsOn(fabric);
    fabric.sim.faults.add({ kind: 'attach', effect: { tag: 'endTask', state } });
    const started = await steps.attach();
    if (started.tag !== 'pending' || started.ticket === undefined) throw new Error(started.tag);
    await fabric.clock.advance(30_000);
    expect(await steps.resume(started.ticket)).toMatchObject({
      tag: 'notDone',
      failure: { message: expect.stringContaining(`ended in state ${state}`) as string },
    });
    expect((await steps.attach()).tag).toBe('pending');
  });

  test('and whose monitor is gone is done if its system shows it, and else waited for', async () => {
    const { fabric, steps, ticket } = await accepted();
    fabric.sim.restart();
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'unchanged' });
    await fabric.clock.advance(30_000);
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'done' });
    expect(sentWith(fabric, 'PATCH')).toHaveLength(1);
  });
});

describe('a service that wants to be left alone', () => {
  const wait = (headers: Record<string, string>, status: number) =>
    ({ tag: 'answer', status, body: { json: {} }, headers }) as const;

  test.each([
    ['seconds', () => '17', 17_000],
    ['a date', (now: number) => new Date(now + 42_000).toUTCString(), 42_000],
    ['less than a second', () => '0', 1_000],
    ['nonsense', () => 'soon', 1_000],
  ])('with %s after a look at a task', async (_, header, ms) => {
    const { fabric, steps, ticket } = await accepted();
    // A date has no milliseconds.
    const now = Math.ceil(fabric.clock.now() / 1000) * 1000;
    await fabric.clock.advance(now - fabric.clock.now());
    const effect = wait({ 'retry-after': header(now) }, 202);
    fabric.sim.faults.add({ path: pathOf(ticket.payload['operation']), effect });
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'pending', retryAfterMs: ms });
  });

  test('already when it accepts', async () => {
    const fabric = openRedfish();
    const location = { location: '/redfish/v1/TaskService/TaskMonitors/7', 'retry-after': '25' };
    fabric.sim.faults.add({ kind: 'attach', effect: wait(location, 202) });
    expect(await stepsOn(fabric).attach()).toMatchObject({ tag: 'pending', retryAfterMs: 25_000 });
  });

  test.each([503, 429])('when it refuses a change with %i', async (status) => {
    const fabric = openRedfish();
    const json = { error: { code: 'Base.1.18.ServiceTemporarilyUnavailable', message: 'Busy.' } };
    const effect = { tag: 'answer', status, body: { json }, headers: { 'retry-after': '120' } } as const;
    fabric.sim.faults.add({ kind: 'attach', effect });
    expect(await stepsOn(fabric).attach()).toMatchObject({
      tag: 'refused',
      failure: { kind: 'Busy', retryAfterMs: 120_000 },
    });
    expect(sentWith(fabric, 'PATCH')).toHaveLength(1);
  });

  test('when it refuses a read, which is then made again', async () => {
    const fabric = openRedfish();
    const from = fabric.clock.monotonic();
    fabric.sim.faults.add({ path: '/redfish/v1/', effect: wait({ 'retry-after': '8' }, 503) });
    expect((await stepsOn(fabric).prepare()).tag).toBe('ticket');
    expect(fabric.clock.monotonic() - from).toBeGreaterThanOrEqual(8_000);
  });
});

describe('a task monitor elsewhere', () => {
  test.each([
    'https://evil.test/redfish/v1/TaskService/TaskMonitors/1',
    '//evil.test/redfish/v1/x',
    '/redfish/v1/../../secret',
    'http://redfish.test/redfish/v1/TaskService/TaskMonitors/1',
  ])('%s is not followed: the system shows what became of it', async (location) => {
    const fabric = openRedfish();
    const effect = {
      tag: 'answer',
      status: 202,
      body: { json: {} },
      headers: { location },
      when: 'afterChange',
    } as const;
    fabric.sim.faults.add({ kind: 'attach', effect });
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket();
    expect(await steps.start(ticket)).toMatchObject({ tag: 'pending' });
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'done' });
    expect(fabric.sent.every(({ url }) => url.startsWith('https://redfish.test/redfish/v1/'))).toBe(true);
    expect(fabric.sent.some(({ url }) => url.includes('secret') || url.includes('evil'))).toBe(false);
  });
});

function pathOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('the ticket has no monitor');
  return value;
}
