import { describe, expect, test } from 'vitest';
import {
  attachOne,
  attachRequest,
  BASE,
  carryOut,
  detachRequest,
  MODEL,
  openCdim,
  prepare,
  resume,
  resumeToEnd,
  start,
  ticketFor,
} from './support/cdim.ts';

const conflict = { status: 'SUSPENDED', code: 'EF011BAS000', statusCode: 409 } as const;

describe('the step that is asked for', () => {
  test.each([
    ['oss', (machine: string, gpu: string) => ({ targetCPUID: machine, targetDeviceID: gpu })],
    ['product', (machine: string, gpu: string) => ({ sourceDeviceID: `dfa-${machine}`, destinationDeviceID: gpu })],
  ] as const)('is in the words of the dialect: %s', async (dialect, ends) => {
    const world = openCdim({ dialect });
    const gpu = await attachOne(world);
    expect(await carryOut(world, detachRequest(world, gpu))).toEqual({ tag: 'done' });
    const posts = world.sent.filter(({ method }) => method === 'POST').map(({ url, body }) => [url, body]);
    const step = (operation: string) => {
      const all = { operationID: 1, dependencies: [], operation, ...ends(world.machine, gpu) };
      return [`${BASE}/layout-apply`, JSON.stringify({ procedures: [all] })];
    };
    expect(posts).toEqual([step('connect'), step('disconnect')]);
    world.sim.assertPoolWhole();
  });
});

describe('the end of an apply', () => {
  test('is noticed within a second, at one call a second', async () => {
    const world = openCdim({ attachMs: 20_500 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const from = world.clock.monotonic();
    const polls = world.sim.calls().poll;
    const { outcome, looks } = await resumeToEnd(world, begun.ticket);
    expect(outcome.tag).toBe('done');
    expect(world.clock.monotonic() - from - 20_500).toBeLessThanOrEqual(1_000);
    expect(world.sim.calls().poll - polls).toBe(looks);
    expect(looks).toBeLessThanOrEqual(22);
  });

  test('is looked for less often when nothing has moved for ten minutes', async () => {
    const world = openCdim({ attachMs: 1_200_000 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const from = world.clock.monotonic();
    const { outcome, looks } = await resumeToEnd(world, begun.ticket, world.provider, 1_200);
    expect(outcome.tag).toBe('done');
    expect(world.clock.monotonic() - from).toBeLessThanOrEqual(1_220_000);
    expect(looks).toBeLessThan(700);
  });

  test('counts when it is shown, and not when it is told', async () => {
    const world = openCdim({ viewLagMs: 45_000 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    expect((await resume(world, begun.ticket)).tag).toBe('pending');
    expect(world.sim.attachedTo(world.machine)).toHaveLength(1);
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome.tag).toBe('done');
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(45_000);
    expect(world.clock.monotonic()).toBeLessThanOrEqual(46_000);
  });

  test('that is never shown is told, and stays in doubt', async () => {
    const world = openCdim({ viewLagMs: Infinity }, { viewLagSeconds: 60 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({ tag: 'inDoubt', failure: { kind: 'InDoubt' } });
    world.sim.sync();
    expect((await resume(world, begun.ticket)).tag).toBe('done');
  });

  test('is shown at once after a synchronisation, or known from the hardware', async () => {
    const synced = openCdim({ viewLagMs: Infinity, syncMs: 700 }, { exporter: BASE });
    await attachOne(synced);
    expect(synced.clock.monotonic()).toBeLessThanOrEqual(2_000);
    const direct = openCdim({ viewLagMs: Infinity }, { hwControl: BASE });
    const gpu = await attachOne(direct);
    expect(direct.clock.monotonic()).toBeLessThanOrEqual(1_000);
    const { devices } = await direct.settle(direct.provider.list([direct.machine], context));
    expect(devices).toMatchObject([{ cdiDeviceId: gpu, health: { level: 'ok' } }]);
  });
});

const context = { signal: new AbortController().signal, timeoutMs: 30_000 };

describe('an apply that does not do what it should', () => {
  test('suspended by a conflict is canceled, and another GPU is taken', async () => {
    const world = openCdim();
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: conflict } });
    const refused = await carryOut(world, attachRequest(world));
    expect(refused).toMatchObject({ tag: 'notDone', failure: { kind: 'Busy' } });
    expect(JSON.stringify(refused)).toContain("EF011BAS000, 'simulated EF011BAS000'");
    expect(world.sim.applies()[0]?.status).toBe('FAILED');
    expect(await attachOne(world)).toBe(world.gpus[1]);
    expect(world.sim.calls()).toMatchObject({ attach: 2, steer: 1 });
  });

  test('suspended by busy hardware is resumed three times, then canceled', async () => {
    const world = openCdim();
    const busy = { status: 'SUSPENDED', code: 'ER005BAS000', statusCode: 503 } as const;
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: busy } });
    expect((await carryOut(world, attachRequest(world))).tag).toBe('done');
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const id = world.sim.applies()[1]?.applyID ?? '';
    const stubborn = {
      applyID: id,
      status: 'SUSPENDED',
      applyResult: [{ status: 'FAILED', responseBody: { code: busy.code } }],
    };
    world.sim.faults.add({ kind: 'poll', times: 4, effect: { tag: 'answer', status: 200, body: { json: stubborn } } });
    world.sim.setApply(id, 'SUSPENDED');
    world.sim.faults.add({
      kind: 'steer',
      times: 3,
      effect: { tag: 'answer', status: 202, body: { json: { status: 'IN_PROGRESS' } } },
    });
    const steered = world.sim.calls().steer;
    await resumeToEnd(world, begun.ticket);
    const actions = world.sent.flatMap(({ method, url }) => (method === 'PUT' ? [url.replace(/^.*action=/, '')] : []));
    expect(actions).toEqual(['resume', 'resume', 'resume', 'resume', 'cancel']);
    expect(world.sim.calls().steer - steered).toBe(4);
  });

  test('whose hardware call timed out has attached or not: the links tell, and the same GPU is asked for again', async () => {
    const world = openCdim();
    const timedOut = { status: 'FAILED', code: 'E40003', statusCode: 504 } as const;
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: { ...timedOut, happened: true } } });
    expect(await attachOne(world)).toBe(world.gpus[0]);
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: timedOut } });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({ tag: 'unchanged', failure: { kind: 'Unreachable' } });
    expect(await attachOne(world)).toBe(world.gpus[1]);
    expect(world.sim.calls().attach).toBe(3);
  });

  test('whose worker has died is told, and canceled where that is wanted', async () => {
    const world = openCdim({}, { stuckSeconds: 120 });
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: { status: 'IN_PROGRESS' } } });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Blocked' } });
    expect(world.sim.calls().steer).toBe(0);
    const acting = world.restart({ cancelStuck: true });
    const after = await resumeToEnd(world, begun.ticket, acting);
    expect(after.outcome.tag).toBe('unchanged');
    expect(world.sim.applies()[0]?.status).toBe('FAILED');
    expect(await attachOne(world)).toBe(world.gpus[0]);
  });

  test('whose worker has died while it was canceled is told: no call ends it', async () => {
    const world = openCdim({}, { stuckSeconds: 120, cancelStuck: true });
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: { status: 'IN_PROGRESS' } } });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    world.sim.setApply(world.sim.applies()[0]?.applyID ?? '', 'CANCELING');
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Blocked' } });
    expect(JSON.stringify(outcome)).toContain("set to FAILED in layout-apply's database");
    expect(world.sim.calls().steer).toBe(0);
  });

  test.each([
    // Before the hardware was asked for anything: that is certain.
    ['getInformation', 'notDone', 'Busy'],
    // After power was switched on: the links tell.
    ['isOSBoot', 'unchanged', 'Unreachable'],
  ] as const)('whose question %s went wrong says why, and is %s', async (at, tag, kind) => {
    const world = openCdim();
    const end = { status: 'FAILED', code: 'EF013BAS000', statusCode: 404, at } as const;
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end } });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({ tag, failure: { kind } });
    expect(JSON.stringify(outcome)).toContain("EF013BAS000, 'simulated EF013BAS000'");
  });

  test('that somebody canceled is what the links say it is', async () => {
    const world = openCdim({ attachMs: 5_000 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    const applyID = world.sim.applies()[0]?.applyID ?? '';
    const path = `/cdim/api/v1/layout-apply/${applyID}?action=cancel&rollbackOnCancel=true`;
    await world.settle(world.sim.handle({ method: 'PUT', path, headers: {} }, context.signal));
    const { outcome } = await resumeToEnd(world, begun.ticket);
    expect(outcome).toMatchObject({
      tag: 'unchanged',
      failure: { message: `apply ${applyID} was canceled by somebody` },
    });
    world.sim.assertPoolWhole();
  });

  test('that is forgotten is what the links say it is', async () => {
    const world = openCdim({ attachMs: 5_000 });
    const begun = await start(world, await ticketFor(world, attachRequest(world)));
    world.sim.forgetApply(world.sim.applies()[0]?.applyID ?? '');
    expect((await resume(world, begun.ticket)).tag).toBe('unchanged');
    await world.clock.advance(5_000);
    expect((await resume(world, begun.ticket)).tag).toBe('done');
  });
});

describe('a manager that is at work for others', () => {
  test('is waited for, and no device is chosen meanwhile', async () => {
    const world = openCdim();
    const other = world.sim.foreignApply('IN_PROGRESS');
    for (let pass = 0; pass < 5; pass += 1) {
      const told = await prepare(world, attachRequest(world));
      expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Busy', retryAfterMs: 5_000 } });
    }
    world.sim.setApply(other, 'COMPLETED');
    const ticket = await ticketFor(world, attachRequest(world));
    world.sim.setApply(other, 'IN_PROGRESS');
    expect((await start(world, ticket)).outcome).toMatchObject({ tag: 'refused', failure: { kind: 'Busy' } });
    world.sim.setApply(other, 'COMPLETED');
    await attachOne(world);
    expect(world.sim.attachedTo(world.machine)).toHaveLength(1);
  });

  test('and suspended is a matter for a person: it is told with the applyID, and left alone', async () => {
    const world = openCdim();
    const ticket = await ticketFor(world, attachRequest(world));
    const other = world.sim.foreignApply('SUSPENDED');
    const told = { kind: 'Blocked', message: expect.stringContaining(other) as string };
    expect(await prepare(world, attachRequest(world))).toEqual({ tag: 'failed', failure: told });
    expect((await start(world, ticket)).outcome).toEqual({ tag: 'refused', failure: told });
    expect(world.sim.calls().steer).toBe(0);
    world.sim.setApply(other, 'FAILED');
    await attachOne(world);
  });

  test('names the suspended apply in brackets by its documentation', async () => {
    const world = openCdim();
    const ticket = await ticketFor(world, attachRequest(world));
    const json = { code: 'E40027', message: 'Suspended. applyID:[0123456789]' };
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'answer', status: 409, body: { json } } });
    expect(JSON.stringify((await start(world, ticket)).outcome)).toContain('suspended apply 0123456789 ');
  });
});

describe('a lost answer', () => {
  test('is found in the history, also among applies of the same second and of others', async () => {
    const world = openCdim({ attachMs: 3_000 });
    world.sim.foreignApply('COMPLETED');
    await attachOne(world);
    await carryOut(world, detachRequest(world, world.gpus[0] ?? ''));
    const ticket = await ticketFor(world, attachRequest(world));
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } });
    expect((await start(world, ticket)).outcome.tag).toBe('inDoubt');
    const provider = world.restart();
    const first = await resume(world, ticket, provider);
    expect(first).toMatchObject({
      tag: 'pending',
      ticket: { payload: { operation: world.sim.applies().at(-1)?.applyID } },
    });
    expect((await resumeToEnd(world, ticket, provider)).outcome.tag).toBe('done');
    expect(world.sim.calls().attach).toBe(2);
  });

  test('to a request that never arrived leaves everything unchanged', async () => {
    const world = openCdim();
    const ticket = await ticketFor(world, attachRequest(world));
    world.sim.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'beforeChange' } });
    expect((await start(world, ticket)).outcome.tag).toBe('inDoubt');
    expect((await resume(world, ticket)).tag).toBe('unchanged');
  });
});

test('two attaches one after the other take two devices; the model is compared without case', async () => {
  const world = openCdim();
  const model = MODEL.toLowerCase();
  expect([await attachOne(world, { model }), await attachOne(world, { model })]).toEqual(world.gpus.slice(0, 2));
});
