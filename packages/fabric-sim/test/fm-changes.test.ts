import { describe, expect, it } from 'vitest';
import { makeGpus, type FabricEvent } from '@cro/fabric-sim';
import { at, errorOf, logIn, makeFabric, MODEL, resUuids } from './support/client.ts';

const gpus = makeGpus(4, MODEL);

describe('attach', () => {
  it('answers with the device when it is there, and shows nothing before', async () => {
    const { clock, sim, machine } = makeFabric({ attachMs: 2_000 });
    const client = await logIn(sim);
    const answer = client.attach(machine(0));
    await clock.advance(1_999);
    expect(resUuids(await client.get(machine(0)))).toEqual([]);
    expect(sim.snapshot().reserved).toEqual([at(gpus, 0).resUuid]);
    await clock.advance(1);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(resUuids(response)).toEqual([at(gpus, 0).resUuid]);
    expect(response.body).not.toContain('mach_status');
    expect(resUuids(await client.get(machine(0)))).toEqual([at(gpus, 0).resUuid]);
  });

  it('honours res_num: as many devices, one after the other, or none', async () => {
    const { clock, sim, machine } = makeFabric({ attachMs: 100 });
    const client = await logIn(sim);
    const answer = client.attach(machine(1), 3);
    await clock.advance(300);
    expect(resUuids(await answer)).toEqual(gpus.slice(0, 3).map((gpu) => gpu.resUuid));
    const refused = await client.attach(machine(1), 2);
    expect([refused.status, errorOf(refused).detail.message]).toEqual([404, 'available resource not found']);
    expect(sim.snapshot().free).toEqual([at(gpus, 3).resUuid]);
  });

  it('goes on when the client hangs up', async () => {
    const { clock, sim, machine } = makeFabric({ attachMs: 5_000 });
    const client = await logIn(sim);
    const hangUp = new AbortController();
    const answer = client.attach(machine(0), 1, MODEL, hangUp.signal);
    await clock.advance(1_000);
    hangUp.abort(new Error('too slow for me'));
    await expect(answer).rejects.toThrow('too slow for me');
    await clock.advance(4_000);
    expect(sim.attachedTo(machine(0)).map((device) => device.resUuid)).toEqual([at(gpus, 0).resUuid]);
    expect(sim.callLog().at(-1)).toMatchObject({ kind: 'attach', end: { tag: 'hungUp' } });
  });

  it('of one machine waits for the change before it; other machines do not', async () => {
    const { clock, sim, machine } = makeFabric({ attachMs: 1_000 });
    const client = await logIn(sim);
    const events: FabricEvent[] = [];
    sim.subscribe((event) => events.push(event));
    const start = clock.monotonic();
    const all = [client.attach(machine(0)), client.attach(machine(0)), client.attach(machine(1))];
    await clock.advance(2_000);
    await Promise.all(all);
    expect(events.map((event) => [event.machine, event.atMs - start])).toEqual([
      [machine(0), 1_000],
      [machine(1), 1_000],
      [machine(0), 2_000],
    ]);
    expect([sim.maxConcurrent(machine(0)), sim.maxConcurrent(machine(1)), sim.maxConcurrent(machine(2))]).toEqual([
      2, 1, 0,
    ]);
  });

  it('of a busy machine is refused when the simulator is told so', async () => {
    const { clock, sim, machine } = makeFabric({ attachMs: 1_000, whenBusy: 'refuse' });
    const client = await logIn(sim);
    const first = client.attach(machine(0));
    await clock.advance(10);
    expect((await client.attach(machine(0))).status).toBe(409);
    await clock.advance(1_000);
    expect((await first).status).toBe(200);
    const after = client.attach(machine(0));
    await clock.advance(1_000);
    expect((await after).status).toBe(200);
    expect(sim.maxConcurrent(machine(0))).toBe(2);
  });
});

describe('detach', () => {
  it.each([200, 204] as const)('gives the device back and answers %i', async (detachStatus) => {
    const { clock, sim, machine } = makeFabric({ detachMs: 500, detachStatus });
    const client = await logIn(sim);
    await client.attach(machine(0), 2);
    const answer = client.detach(machine(0), at(gpus, 0).resUuid);
    await clock.advance(499);
    expect(sim.attachedTo(machine(0))).toHaveLength(2);
    await clock.advance(1);
    expect((await answer).status).toBe(detachStatus);
    expect(sim.snapshot().machines[machine(0)]).toEqual([at(gpus, 1).resUuid]);
    const last = client.detach(machine(0), at(gpus, 1).resUuid);
    await clock.advance(500);
    await last;
    sim.assertPoolWhole();
  });

  it('of a device that is not on the machine is a 404 and touches nothing', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    await client.attach(machine(1));
    const response = await client.detach(machine(0), at(gpus, 0).resUuid);
    expect([response.status, errorOf(response).detail.message]).toEqual([404, 'resource not found on this machine']);
    expect(sim.attachedTo(machine(1))).toHaveLength(1);
  });
});

describe('a body that is wrong', () => {
  const condition = [{ column: 'model', operator: 'eq', value: MODEL }];
  const good = { res_type: 'gpu', res_spec: { condition }, res_num: 1 };
  it.each([
    ['PATCH', { ...good, res_num: 0 }, 'body/tenants/machines/0/resources/0/res_specs/0/res_num'],
    ['PATCH', { res_type: 'gpu', res_spec: { condition } }, 'must have required properties res_num'],
    ['PATCH', { ...good, res_spec: { condition: [] } }, 'res_specs/0/res_spec/condition'],
    ['DELETE', { res_type: 'gpu', res_num: 1 }, 'must have required properties res_uuid'],
    ['DELETE', { res_type: 'gpu', res_uuid: 'x', res_num: 2 }, 'res_specs/0/res_num'],
  ])('in its spec is refused with the field at fault (%s %o)', async (method, spec, message) => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const path = `/${machine(0)}/update?tenant_uuid=${sim.tenant}`;
    const response = await client.send(method, path, client.frame(machine(0), spec));
    expect(response.status).toBe(400);
    expect(errorOf(response).detail.message).toContain(message);
  });

  it('in its frame is refused too', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const refuse = async (body: unknown) => {
      const response = await client.send('PATCH', `/${machine(0)}/update?tenant_uuid=${sim.tenant}`, body);
      expect(response.status).toBe(400);
      return errorOf(response).detail.message;
    };
    expect(await refuse('{')).toContain('body is not JSON');
    expect(await refuse([])).toBe('body must be object');
    expect(await refuse(client.frame(machine(1), good))).toBe(
      'body/tenants/machines/0/mach_uuid is another machine than the path names',
    );
    const frame = client.frame(machine(0), good);
    expect(await refuse({ tenants: { ...frame.tenants, tenant_uuid: 'other' } })).toBe(
      'body/tenants/tenant_uuid is another tenant than the query names',
    );
    const request = {
      method: 'PATCH',
      path: `/fabric_manager/api/v1/machines/${machine(0)}/update?tenant_uuid=${sim.tenant}`,
    };
    const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'text/plain' };
    const plain = await sim.handle({ ...request, headers, body: JSON.stringify(frame) }, new AbortController().signal);
    expect(errorOf(plain).detail.message).toBe('Content-Type must be application/json');
    sim.assertPoolWhole();
  });
});
