import { describe, expect, it } from 'vitest';
import { makeGpus } from '@cro/fabric-sim';
import { at, errorOf, FM, logIn, makeFabric, MODEL, never } from './support/client.ts';

const condition = JSON.stringify({ column: 'model', operator: 'eq', value: MODEL });

describe('GET of a machine', () => {
  it('shows every field that the product shows, and a fixed device beside those that move', async () => {
    const gpu = at(makeGpus(1, MODEL), 0);
    const memory = { type: 'memory', model: 'DDR5', serial: '', resUuid: 'mem-0', opStatus: '0 OK' };
    const home = makeFabric().machine(0);
    const devices = [
      { ...gpu, machine: home },
      { ...memory, machine: home },
    ];
    const { sim, machine } = makeFabric({ devices });
    const response = await (await logIn(sim)).get(machine(0));
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    const resource = (type: string, model: string, serial: string, uuid: string, name: string, op: string) => ({
      res_uuid: uuid,
      res_name: name,
      res_type: type,
      res_status: 0,
      res_op_status: op,
      res_serial_num: serial,
      res_spec: { condition: [{ column: 'model', operator: 'eq', value: model }] },
    });
    expect(JSON.parse(response.body)).toEqual({
      data: {
        machines: [
          {
            fabric_uuid: '00000000-4000-4000-8000-000000000000',
            fabric_id: 1,
            mach_uuid: machine(0),
            mach_id: 1,
            mach_name: 'machine-0',
            tenant_uuid: sim.tenant,
            mach_status: 0,
            mach_status_detail: '',
            resources: [
              resource('gpu', MODEL, gpu.serial, gpu.resUuid, `${MODEL}-0`, '0'),
              resource('memory', 'DDR5', '', 'mem-0', 'mem-0', '0 OK'),
            ],
          },
        ],
      },
    });
  });

  it('that is not there is a 404 in the error frame', async () => {
    const { sim } = makeFabric();
    const response = await (await logIn(sim)).get('nowhere');
    expect(response.status).toBe(404);
    expect(errorOf(response)).toEqual({
      status: 404,
      detail: { code: 'E020404', message: 'machine not found', data: {} },
    });
  });
});

describe('the list of machines', () => {
  it('has every machine with its devices', async () => {
    const { sim, machine } = makeFabric();
    sim.move(at(makeGpus(4, MODEL), 1).resUuid, machine(2));
    const client = await logIn(sim);
    const response = await client.send('GET', `?tenant_uuid=${sim.tenant}`);
    const { data } = JSON.parse(response.body) as { data: { machines: { mach_uuid: string; resources: unknown[] }[] } };
    expect(data.machines.map((one) => [one.mach_uuid, one.resources.length])).toEqual([
      [machine(0), 0],
      [machine(1), 0],
      [machine(2), 1],
    ]);
    expect(sim.calls()).toMatchObject({ token: 1, list: 1 });
  });
});

describe('available-reserved-resources', () => {
  it('counts what is free of a model on the fabric of the machine', async () => {
    const devices = makeGpus(4, MODEL).map((device, index) => ({
      ...device,
      fabricUuid: index === 0 ? 'east' : 'west',
    }));
    const machines = [
      { machUuid: 'm-east', name: 'east', fabricUuid: 'east' },
      { machUuid: 'm-west', name: 'west', fabricUuid: 'west' },
    ];
    const { sim } = makeFabric({ devices, machines });
    const client = await logIn(sim);
    const count = async (machine: string) => JSON.parse((await client.inventory(machine, condition)).body) as unknown;
    expect(await count('m-east')).toEqual({ fabric_id: 1, reserved_res_num_per_fabric: 1 });
    expect(await count('m-west')).toEqual({ fabric_id: 2, reserved_res_num_per_fabric: 3 });
    await client.attach('m-west');
    expect(await count('m-west')).toEqual({ fabric_id: 2, reserved_res_num_per_fabric: 2 });
    expect((await client.attach('m-east', 2)).status).toBe(404);
  });

  it.each([
    ['{"column":"vendor","operator":"eq","value":"x"}', 'condition/column'],
    ['{"column":"model","operator":"eq"}', 'condition must have required properties value'],
    ['not json', 'condition is not JSON'],
  ])('refuses the condition %s and says why', async (text, message) => {
    const { sim, machine } = makeFabric();
    const response = await (await logIn(sim)).inventory(machine(0), text);
    expect(response.status).toBe(400);
    expect(errorOf(response).detail.message).toContain(message);
  });
});

describe('entry', () => {
  it.each([
    ['no token', {}, '', 401, 'the access token is missing'],
    ['a token of nobody', { authorization: 'Bearer x.y.z' }, '', 401, 'the access token is unknown'],
  ])('with %s is refused', async (_case, headers, query, status, message) => {
    const { sim } = makeFabric();
    const response = await sim.handle({ method: 'GET', path: `${FM}${query}`, headers }, never());
    expect([response.status, errorOf(response).detail.message]).toEqual([status, message]);
  });

  it('without the tenant, or with another, is refused', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const missing = await client.send('GET', `/${machine(0)}`);
    expect([missing.status, errorOf(missing).detail.message]).toEqual([400, 'query parameter tenant_uuid is missing']);
    const other = await client.send('GET', `/${machine(0)}?tenant_uuid=somebody`);
    expect([other.status, errorOf(other).detail.message]).toEqual([404, 'tenant not found']);
  });

  it('by a wrong method or path is refused, and counted as other', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    expect((await client.send('PUT', `/${machine(0)}/update`)).status).toBe(405);
    expect((await client.send('POST', '')).status).toBe(405);
    const lost = await sim.handle({ method: 'GET', path: '/elsewhere', headers: {} }, never());
    expect([lost.status, lost.body]).toEqual([404, '{"error":"not found"}']);
    expect((await sim.handle({ method: 'GET', path: '//', headers: {} }, never())).status).toBe(400);
    expect((await client.send('GET', '/%E0%A4%A')).status).toBe(404);
    expect(sim.calls().other).toBe(5);
  });
});
