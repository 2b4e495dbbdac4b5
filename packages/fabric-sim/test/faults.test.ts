import { describe, expect, it } from 'vitest';
import { ConnectionLost, makeGpus, type Effect } from '@cro/fabric-sim';
import { openRedfish, paths } from './support/redfish.ts';
import { at, errorOf, logIn, makeFabric, MODEL, never, resUuids } from './support/client.ts';

const first = at(makeGpus(4, MODEL), 0);
const condition = JSON.stringify({ column: 'model', operator: 'eq', value: MODEL });

async function struck(effect: Effect, kind: 'attach' | 'detach' | 'get' | 'inventory' = 'attach') {
  const fabric = makeFabric();
  const client = await logIn(fabric.sim);
  if (kind === 'detach') await client.attach(fabric.machine(0));
  const fault = fabric.sim.faults.add({ kind, effect });
  return { ...fabric, client, fault };
}

describe('a reply that is lost', () => {
  it('after the change leaves the device attached', async () => {
    const { sim, client, machine } = await struck({ tag: 'loseReply', when: 'afterChange' });
    await expect(client.attach(machine(0))).rejects.toBeInstanceOf(ConnectionLost);
    expect(sim.attachedTo(machine(0))).toHaveLength(1);
    expect(sim.callLog().at(-1)).toMatchObject({ kind: 'attach', end: { tag: 'lost' } });
  });

  it('before the change leaves nothing attached', async () => {
    const { sim, client, machine } = await struck({ tag: 'loseReply', when: 'beforeChange' });
    await expect(client.attach(machine(0))).rejects.toBeInstanceOf(ConnectionLost);
    sim.assertPoolWhole();
  });
});

describe('an answer in place of the fabric’s own', () => {
  it('with an error frame', async () => {
    const json = { status: 404, detail: { code: 'E02XXXX', message: 'scaleup method not found' } };
    const { sim, client, machine } = await struck({ tag: 'answer', status: 404, body: { json } });
    const response = await client.attach(machine(0));
    expect([response.status, errorOf(response)]).toEqual([404, json]);
    sim.assertPoolWhole();
  });

  it('with HTML and 200 after the change', async () => {
    const html = '<html><body>gateway</body></html>';
    const { sim, client, machine } = await struck(
      { tag: 'answer', status: 200, body: { html }, when: 'afterChange' },
      'detach',
    );
    const response = await client.detach(machine(0), first.resUuid);
    expect(response).toEqual({ status: 200, headers: { 'content-type': 'text/html' }, body: html });
    sim.assertPoolWhole();
  });

  it('with parts left out', async () => {
    const { client, machine, sim } = await struck(
      { tag: 'omitFields', fields: ['res_serial_num', 'res_op_status'] },
      'get',
    );
    sim.move(first.resUuid, machine(0));
    const text = (await client.get(machine(0))).body;
    expect(text).not.toMatch(/res_serial_num|res_op_status/);
    expect(text).toContain('"res_uuid"');
  });

  it.each(['machines', 'resources'])('with no %s', async (list) => {
    const { client, machine, sim } = await struck({ tag: 'emptyLists', fields: [list] }, 'get');
    sim.move(first.resUuid, machine(0));
    expect((await client.get(machine(0))).body).toContain(`"${list}":[]`);
    expect(resUuids(await client.get(machine(0)))).toEqual([first.resUuid]);
  });
});

describe('slowness', () => {
  it('delays the answer, before the change or after it', async () => {
    const { clock, sim, client, machine } = await struck({ tag: 'delay', ms: 3_000 });
    sim.faults.add({ kind: 'attach', effect: { tag: 'delay', ms: 4_000, when: 'afterChange' } });
    let answered = false;
    const answer = client.attach(machine(0)).then(() => (answered = true));
    await clock.advance(2_999);
    sim.assertPoolWhole();
    await clock.advance(1);
    expect(sim.attachedTo(machine(0))).toHaveLength(1);
    await clock.advance(3_999);
    expect(answered).toBe(false);
    await clock.advance(1);
    expect(await answer).toBe(true);
  });

  it('without end lasts until the client gives up', async () => {
    const { clock, sim, client, machine } = await struck({ tag: 'hang', when: 'afterChange' });
    const giveUp = new AbortController();
    const answer = client.attach(machine(0), 1, MODEL, giveUp.signal);
    await clock.advance(600_000);
    expect(sim.callLog().at(-1)?.end.tag).toBe('open');
    giveUp.abort();
    await expect(answer).rejects.toThrow();
    expect(sim.attachedTo(machine(0))).toHaveLength(1);
  });
});

describe('devices that are not as asked for', () => {
  it.each(['1', '2 Critical', '7', ''])('arrive with op status %j', async (opStatus) => {
    const { client, machine } = await struck({ tag: 'arrive', opStatus });
    const answer = await client.attach(machine(0));
    expect(answer.body).toContain(`"res_op_status":${JSON.stringify(opStatus)}`);
    expect((await client.get(machine(0))).body).toContain(`"res_op_status":${JSON.stringify(opStatus)}`);
  });

  it.each([
    [false, 1],
    [true, 3],
  ])('come in surplus (shown in the reply: %s)', async (inReply, shown) => {
    const { sim, client, machine } = await struck({ tag: 'surplus', count: 2, inReply });
    expect(resUuids(await client.attach(machine(0)))).toHaveLength(shown);
    expect(sim.attachedTo(machine(0))).toHaveLength(3);
  });

  it('are not there: the pool counts as empty', async () => {
    const { sim, client, machine } = await struck({ tag: 'exhausted' });
    const refused = await client.attach(machine(0));
    expect([refused.status, errorOf(refused).detail.message]).toEqual([404, 'available resource not found']);
    sim.faults.add({ kind: 'inventory', effect: { tag: 'exhausted' } });
    expect((await client.inventory(machine(0), condition)).body).toContain('"reserved_res_num_per_fabric":0');
    expect((await client.inventory(machine(0), condition)).body).toContain('"reserved_res_num_per_fabric":4');
  });
});

describe('which calls a fault strikes', () => {
  const oops: Effect = { tag: 'answer', status: 500, body: { json: {} } };
  it('by machine, from the nth on, so many times', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const fault = sim.faults.add({ kind: 'get', machine: machine(1), nth: 2, times: 2, effect: oops });
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      expect((await client.get(machine(0))).status).toBe(200);
      statuses.push((await client.get(machine(1))).status);
    }
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect(fault.hits()).toBe(2);
  });

  it('by kind: the others pass', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const fault = sim.faults.add({ kind: 'detach', effect: oops });
    expect([(await client.get(machine(0))).status, (await client.attach(machine(0))).status]).toEqual([200, 200]);
    expect(fault.hits()).toBe(0);
    expect((await client.detach(machine(0), first.resUuid)).status).toBe(500);
  });

  it('one at a time where each takes the place of the answer', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    sim.faults.add({ effect: { tag: 'loseReply', when: 'afterChange' } });
    sim.faults.add({ effect: oops });
    await expect(client.get(machine(0))).rejects.toBeInstanceOf(ConnectionLost);
    expect((await client.get(machine(0))).status).toBe(500);
    expect((await client.get(machine(0))).status).toBe(200);
  });

  it('for good, until it is removed or all are cleared', async () => {
    const { sim, machine } = makeFabric();
    const client = await logIn(sim);
    const fault = sim.faults.add({ effect: oops, times: Infinity });
    expect([(await client.get(machine(0))).status, (await client.attach(machine(0))).status]).toEqual([500, 500]);
    fault.remove();
    expect((await client.get(machine(0))).status).toBe(200);
    sim.faults.add({ effect: oops, times: Infinity });
    sim.faults.clear();
    expect((await client.get(machine(0))).status).toBe(200);
    expect((await sim.handle({ method: 'GET', path: '/x', headers: {} }, never())).status).toBe(404);
  });
});

describe('a fault of one path', () => {
  it('strikes no other, whatever the query; it may set properties and headers', async () => {
    const { sim, send, get } = openRedfish();
    const fields = { 'Members@odata.count': 99 };
    sim.faults.add({ path: paths.systems, effect: { tag: 'setFields', fields } });
    expect((await get(paths.system(0))).json).not.toHaveProperty('Members@odata.count');
    expect((await get(`${paths.systems}?$top=1`)).json).toMatchObject(fields);
    expect((await get(paths.systems)).json).toMatchObject({ 'Members@odata.count': 2 });
    const effect = { tag: 'answer', status: 503, body: { html: '' }, headers: { 'retry-after': '9' } } as const;
    sim.faults.add({ path: paths.system(0), effect });
    expect(await send('GET', paths.system(0))).toMatchObject({ status: 503, headers: { 'retry-after': '9' } });
  });
});
