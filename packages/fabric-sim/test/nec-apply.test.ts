import { describe, expect, it } from 'vitest';
import { makeNec } from './support/nec.ts';

const conflict = { status: 'SUSPENDED', code: 'EF011BAS000', statusCode: 409 } as const;

describe('an apply', () => {
  it('is accepted at once, and connects after a while', async () => {
    const { clock, sim, client, gpu, machine } = makeNec({ attachMs: 3_000 });
    const posted = await client.connect(machine(0), gpu(1));
    expect(posted).toEqual({ status: 202, body: { applyID: expect.stringMatching(/^[0-9a-f]{10}$/) as string } });
    const applyID = String(posted.body['applyID']);
    const early = await client.apply(applyID);
    expect(early).toMatchObject({ applyID, status: 'IN_PROGRESS' });
    for (const later of ['applyResult', 'executeRollback', 'endedAt']) expect(early).not.toHaveProperty(later);
    expect(sim.attachedTo(machine(0))).toEqual([]);
    await clock.advance(3_000);
    expect(sim.attachedTo(machine(0))).toMatchObject([{ resUuid: gpu(1) }]);
    expect(await client.apply(applyID)).toMatchObject({
      status: 'COMPLETED',
      procedures: [{ targetCPUID: machine(0) }],
      applyResult: [{ operationID: 1, status: 'COMPLETED', statusCode: 200 }],
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:00:03Z',
    });
    await client.begin(machine(0), gpu(1), 'disconnect');
    await clock.advance(0);
    sim.assertPoolWhole();
    expect(sim.calls()).toMatchObject({ attach: 1, detach: 1, poll: 2 });
  });

  it('of another dialect is refused, in a text; one without steps with a list of what is wrong', async () => {
    const { client, gpu, machine } = makeNec({ dialect: 'product' });
    const refused = await client.connect(machine(0), gpu(0));
    expect(refused).toMatchObject({ status: 400, body: { code: 'E40001' } });
    expect(refused.body['message']).toMatch(/^Unexpected strings /);
    expect((await client.send('POST', '/layout-apply', {})).body['message']).toBeInstanceOf(Array);
    const ends = { sourceDeviceID: `dfa-${machine(0)}`, destinationDeviceID: gpu(0) };
    const step = { operationID: 1, operation: 'connect', dependencies: [], ...ends };
    expect((await client.send('POST', '/layout-apply', { procedures: [step] })).status).toBe(202);
  });

  it('keeps others from starting, also with nothing to do; without steps it is over at once', async () => {
    const { clock, client, gpu, machine } = makeNec({ attachMs: 1_000 });
    await client.begin(machine(0), gpu(0));
    for (const procedures of [[], [{}]]) {
      const refused = await client.send('POST', '/layout-apply', { procedures });
      expect(refused.body['code']).toBe(procedures.length === 0 ? 'E40010' : 'E40001');
    }
    await clock.advance(1_000);
    const empty = await client.send('POST', '/layout-apply', { procedures: [] });
    expect(await client.apply(String(empty.body['applyID']))).toMatchObject({ status: 'COMPLETED' });
  });

  it('does its steps in order, skips those that follow a failed one, and says what each came to', async () => {
    const { clock, sim, client, gpu, machine } = makeNec();
    const step = (operationID: number, device: string, dependencies: number[]) => {
      return { operationID, operation: 'connect', dependencies, targetCPUID: machine(0), targetDeviceID: device };
    };
    sim.move(gpu(1), machine(2));
    const procedures = [step(1, gpu(0), []), step(2, gpu(1), [1]), step(3, gpu(2), [2])];
    const { body } = await client.send('POST', '/layout-apply', { procedures });
    await clock.advance(0);
    const applyResult = [
      { status: 'COMPLETED' },
      { status: 'FAILED', statusCode: 409, responseBody: { code: 'EF011BAS000' } },
      { status: 'SKIPPED' },
    ];
    expect(await client.apply(String(body['applyID']))).toMatchObject({ status: 'SUSPENDED', applyResult });
    expect(sim.attachedTo(machine(0))).toHaveLength(1);
  });

  it.each([
    ['no such machine', 404, 'EF013BAS000', (id: string) => `x${id}`],
    ['a device that is built in', 400, 'EF003BAS010', (id: string) => id],
  ])('with %s is suspended', async (_, statusCode, code, name) => {
    const { clock, sim, client, gpu, machine } = makeNec();
    sim.setBuiltIn(gpu(0), machine(1));
    const applyID = await client.begin(name(machine(0)), gpu(0));
    await clock.advance(0);
    const record = await client.apply(applyID);
    expect(record).toMatchObject({ status: 'SUSPENDED', applyResult: [{ statusCode, responseBody: { code } }] });
    expect(record).toMatchObject({ resumeProcedures: [{ targetDeviceID: gpu(0), targetRequestInstanceID: null }] });
    expect(record).not.toHaveProperty('endedAt');
    await client.steer(applyID, 'cancel');
    expect(await client.apply(applyID)).toMatchObject({ status: 'FAILED', canceledAt: '2026-01-01T00:00:00Z' });
  });

  it('with no such device fails before anything is asked of the hardware', async () => {
    const { clock, client, gpu, machine } = makeNec();
    const applyID = await client.begin(machine(0), `x${gpu(0)}`);
    await clock.advance(0);
    const { status, applyResult } = await client.apply(applyID);
    expect(status).toBe('FAILED');
    const getInformation = { responseBody: { code: 'EF013BAS003', message: 'no device' } };
    expect(applyResult).toEqual([expect.objectContaining({ status: 'FAILED', getInformation })]);
    expect(JSON.stringify(applyResult)).not.toContain('statusCode');
  });

  it('whose device does not start shows the question that said so', async () => {
    const { clock, sim, client, gpu, machine } = makeNec();
    const end = { status: 'FAILED', code: 'EF013BAS000', statusCode: 404, at: 'isOSBoot' } as const;
    sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end } });
    const applyID = await client.begin(machine(0), gpu(0));
    await clock.advance(0);
    const isOSBoot = { statusCode: 404, responseBody: { code: 'EF013BAS000' } };
    expect(await client.apply(applyID)).toMatchObject({
      applyResult: [{ statusCode: 200, responseBody: {}, isOSBoot }],
    });
  });

  it.each([
    [{ status: 'FAILED', code: 'E40003', statusCode: 504, happened: true }, 1],
    [{ status: 'FAILED', code: 'E40007' }, 0],
    [conflict, 0],
  ] as const)('that a fault strikes comes to that end: %j', async (end, attached) => {
    const { clock, sim, client, gpu, machine } = makeNec();
    sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end } });
    const applyID = await client.begin(machine(0), gpu(0));
    await clock.advance(0);
    expect(await client.apply(applyID)).toMatchObject({
      status: end.status,
      applyResult: [{ responseBody: { code: end.code } }],
    });
    expect(sim.attachedTo(machine(0))).toHaveLength(attached);
  });
});

describe('cancel and resume', () => {
  it('of a suspended apply end it, or do again what is left', async () => {
    const { clock, sim, client, gpu, machine } = makeNec();
    sim.faults.add({ kind: 'attach', times: 2, effect: { tag: 'applyEnds', end: conflict } });
    const first = await client.begin(machine(0), gpu(0));
    await clock.advance(0);
    expect(await client.connect(machine(0), gpu(1))).toMatchObject({ status: 409, body: { code: 'E40027' } });
    expect(JSON.stringify(await client.connect(machine(0), gpu(1)))).toContain(`applyID: ${first}`);
    sim.faults.clear();
    expect(await client.steer(first, 'resume')).toEqual({ status: 202, body: { status: 'IN_PROGRESS' } });
    await clock.advance(0);
    expect(await client.apply(first)).toMatchObject({
      status: 'COMPLETED',
      applyResult: [{ status: 'FAILED' }],
      resumeResult: [{ status: 'COMPLETED' }],
    });
    sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: conflict } });
    const second = await client.begin(machine(0), gpu(1));
    await clock.advance(0);
    expect(await client.steer(second, 'cancel')).toEqual({ status: 202, body: { status: 'FAILED' } });
    expect((await client.connect(machine(0), gpu(2))).status).toBe(202);
  });

  it('of an apply whose worker is dead unblocks the manager', async () => {
    const { clock, sim, client, gpu, machine } = makeNec();
    sim.faults.add({ kind: 'attach', effect: { tag: 'applyEnds', end: { status: 'IN_PROGRESS' } } });
    const applyID = await client.begin(machine(0), gpu(0));
    await clock.advance(3_600_000);
    expect((await client.connect(machine(0), gpu(1))).body['code']).toBe('E40010');
    const told = await client.steer(applyID, 'cancel');
    expect(told).toMatchObject({ status: 409, body: { code: 'E40028', status: 'FAILED' } });
    expect((await client.connect(machine(0), gpu(1))).status).toBe(202);
  });

  it('with a rollback take back what was done', async () => {
    const { clock, sim, client, gpu, machine } = makeNec({ attachMs: 1_000 });
    const step = (operationID: number, device: string) => {
      return { operationID, operation: 'connect', dependencies: [], targetCPUID: machine(0), targetDeviceID: device };
    };
    const { body } = await client.send('POST', '/layout-apply', { procedures: [step(1, gpu(0)), step(2, gpu(1))] });
    const applyID = String(body['applyID']);
    const told = await client.steer(applyID, 'cancel&rollbackOnCancel=true');
    expect(told).toEqual({ status: 202, body: { status: 'CANCELING' } });
    await clock.advance(1_000);
    expect(await client.apply(applyID)).toMatchObject({
      status: 'CANCELED',
      rollbackStatus: 'COMPLETED',
      applyResult: [{ status: 'COMPLETED' }, { status: 'CANCELED' }],
      rollbackResult: [{ status: 'COMPLETED' }],
    });
    sim.assertPoolWhole();
  });

  it.each([
    ['COMPLETED', 409, 200],
    ['FAILED', 409, 200],
    ['CANCELING', 200, 409],
    ['CANCELED', 200, 200],
    ['SUSPENDED', 202, 202],
    ['IN_PROGRESS', 202, 409],
  ] as const)('of %s answer as the real service does', async (status, onCancel, onResume) => {
    const { sim, client } = makeNec();
    expect((await client.steer(sim.foreignApply(status), 'cancel')).status).toBe(onCancel);
    expect((await client.steer(sim.foreignApply(status), 'resume')).status).toBe(onResume);
  });

  it('answer in words to ids that are none, and actions that are none', async () => {
    const { sim, client } = makeNec();
    const codes = [
      await client.steer('XYZ', 'cancel'),
      await client.steer('0123456789', 'cancel'),
      await client.steer(sim.foreignApply('COMPLETED'), 'rest'),
      await client.send('DELETE', `/layout-apply/${sim.foreignApply('SUSPENDED')}`),
      await client.send('DELETE', `/layout-apply/${sim.foreignApply('COMPLETED')}`),
    ].map(({ status, body }) => [status, body['code']]);
    expect(codes).toEqual([
      [400, 'E40001'],
      [404, 'E40020'],
      [400, 'E40001'],
      [409, 'E40024'],
      [204, undefined],
    ]);
  });
});

describe('the history', () => {
  it('is filtered, ordered and cut as asked', async () => {
    const { clock, sim, client } = makeNec();
    const ids: string[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      ids.push(sim.foreignApply(hour === 1 ? 'FAILED' : 'COMPLETED'));
      await clock.advance(3_600_000);
    }
    const list = async (query: string) => {
      const { body } = await client.send('GET', `/layout-apply?${query}`);
      return (body['applyResults'] as { applyID: string; procedures?: unknown }[]).map(({ applyID }) =>
        ids.indexOf(applyID),
      );
    };
    expect(await list('')).toEqual([2, 1, 0]);
    expect(await list('orderBy=asc&limit=2')).toEqual([0, 1]);
    expect(await list('status=FAILED')).toEqual([1]);
    expect(await list('startedAtSince=2026-01-01T01:00:00Z&startedAtUntil=2026-01-01T03:30:00%2B02:00')).toEqual([1]);
    expect(await client.send('GET', '/layout-apply?fields=procedures&limit=1')).toMatchObject({
      body: { totalCount: 3, count: 1, applyResults: [{ procedures: [] }] },
    });
    for (const wrong of ['fields=all', 'limit=x', 'startedAtSince=today']) {
      expect((await client.send('GET', `/layout-apply?${wrong}`)).body['code']).toBe('E40001');
    }
  });
});
