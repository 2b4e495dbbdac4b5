import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { startRedfishSim, startSunfishSim } from '@cro/fabric-sim';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at } from './support/client.ts';
import { blocksOf, connectionBody, gpuId, machineId, messageId, openRedfish, paths, refs } from './support/redfish.ts';

describe('a system by PATCH of its blocks', () => {
  it('gets a block and gives it back; its own block stays', async () => {
    const { sim, send, get } = openRedfish();
    const before = blocksOf(await get(paths.system(0)));
    const list = { Links: { ResourceBlocks: refs(...before, paths.block(1)) } };
    expect(blocksOf(await send('PATCH', paths.system(0), list))).toEqual([...before, paths.block(1)]);
    expect(sim.attachedTo(machineId(0)).map(({ resUuid }) => resUuid)).toEqual([gpuId(1)]);
    expect((await get(paths.block(1))).json).toMatchObject({ Links: { ComputerSystems: refs(paths.system(0)) } });
    await send('PATCH', paths.system(0), { Links: { ResourceBlocks: [{}, null] } });
    sim.assertPoolWhole();
    expect(sim.calls()).toMatchObject({ attach: 1, detach: 1, get: 1, inventory: 1 });
  });

  it.each([
    ['a block of another system', 409, 'ResourceBlockInUse', (own: string[]) => refs(...own, paths.block(0))],
    ['an unknown block', 404, 'ResourceBlockNotFound', (own: string[]) => refs(...own, paths.block(0) + 'x')],
    ['no compute block', 406, 'ResourceBlockInvalid', () => []],
    ['no list', 400, 'PropertyMissing', () => 'x'],
  ])('with %s is refused', async (_, status, id, list) => {
    const { sim, send, get } = openRedfish();
    sim.move(gpuId(0), machineId(1));
    const own = blocksOf(await get(paths.system(0)));
    const answer = await send('PATCH', paths.system(0), { Links: { ResourceBlocks: list(own) } });
    expect(answer.status).toBe(status);
    expect(messageId(answer)).toContain(id);
    expect(sim.attachedTo(machineId(0))).toEqual([]);
  });

  it('is held against the ETag', async () => {
    const { send, get } = openRedfish({ etags: 'required' });
    const system = await get(paths.system(0));
    const body = { Links: { ResourceBlocks: refs(...blocksOf(system), paths.block(0)) } };
    const etag = system.headers['etag'] ?? '';
    expect((await send('PATCH', paths.system(0), body)).status).toBe(428);
    expect((await send('PATCH', paths.system(0), body, { 'if-match': etag })).status).toBe(200);
    expect((await send('PATCH', paths.system(0), body, { 'if-match': etag })).status).toBe(412);
  });

  it('is refused where the service wants its actions', async () => {
    const { send, get } = openRedfish({ composeBy: 'action' });
    const { Actions } = (await get(paths.system(0))).json as { Actions: Record<string, { target: string }> };
    const body = { ResourceBlock: { '@odata.id': paths.block(0) } };
    expect((await send('PATCH', paths.system(0), body)).status).toBe(405);
    const target = (name: string) => Actions[`#ComputerSystem.${name}`]?.target ?? '';
    expect((await send('POST', target('AddResourceBlock'), body)).status).toBe(200);
    expect(blocksOf(await get(paths.system(0)))).toContain(paths.block(0));
    expect((await send('POST', target('RemoveResourceBlock'), body)).status).toBe(200);
    expect((await send('POST', target('RemoveResourceBlock'), body)).status).toBe(404);
  });
});

describe('a task', () => {
  async function begin(fault = false) {
    const fabric = openRedfish({ asynchronous: true, attachMs: 5_000 });
    if (fault) fabric.sim.faults.add({ kind: 'attach', effect: { tag: 'endTask', state: 'Exception' } });
    const body = { Links: { ResourceBlocks: [{}, ...refs(paths.block(0))] } };
    const answer = await fabric.send('PATCH', paths.system(0), body);
    return { ...fabric, answer, monitor: answer.headers['location'] ?? '' };
  }

  it('answers 202 while it runs, and then what the change would have answered', async () => {
    const { clock, get, answer, monitor } = await begin();
    expect(answer).toMatchObject({ status: 202, headers: { 'retry-after': '1' } });
    expect((await get(monitor)).status).toBe(202);
    await clock.advance(5_000);
    expect(blocksOf(await get(monitor))).toContain(paths.block(0));
  });

  it('that fails changes nothing; a restart forgets it', async () => {
    const { clock, sim, get, monitor } = await begin(true);
    await clock.advance(5_000);
    expect((await get(monitor)).json).toMatchObject({ TaskState: 'Exception' });
    sim.assertPoolWhole();
    sim.restart();
    expect((await get(monitor)).status).toBe(404);
  });
});

describe('memory', () => {
  it('is cut, connected, disconnected and given back', async () => {
    const { sim, send } = openRedfish();
    const chunk = `${paths.chunks}/c-1`;
    expect((await send('POST', paths.chunks, { Id: 'c-1', MemoryChunkSizeMiB: 2048 })).status).toBe(201);
    const body = connectionBody('x-1', 0, 'VT1.1', chunk);
    expect((await send('POST', paths.connections, body)).headers['location']).toBe(`${paths.connections}/x-1`);
    expect(sim.attachedTo(machineId(0))).toMatchObject([{ type: 'cxlmemory', resUuid: 'x-1', model: '2048 MiB' }]);
    expect((await send('POST', paths.connections, body)).status).toBe(409);
    expect((await send('DELETE', chunk)).status).toBe(409);
    expect((await send('DELETE', `${paths.connections}/x-1`)).status).toBe(204);
    expect((await send('DELETE', chunk)).status).toBe(204);
    sim.assertPoolWhole();
  });

  it.each([
    [100, 400],
    [1025, 400],
    [9216, 503],
  ])('of %i MiB is refused', async (MemoryChunkSizeMiB, status) => {
    const { send } = openRedfish();
    expect((await send('POST', paths.chunks, { MemoryChunkSizeMiB })).status).toBe(status);
  });
});

describe('reads', () => {
  it('$expand puts resources in place of references, and leaves out what cannot be read', async () => {
    const { sim, get } = openRedfish();
    sim.faults.add({ kind: 'get', machine: machineId(1), times: Infinity, effect: { tag: 'hang' } });
    const { Members } = (await get(`${paths.systems}?$expand=*($levels=2)`)).json as { Members: object[] };
    expect(at(Members, 0)).toMatchObject({ Links: { ResourceBlocks: [{ ResourceBlockType: ['Compute'] }] } });
    expect(at(Members, 1)).toEqual({ '@odata.id': paths.system(1) });
  });

  it('need a session, a password or a token where the service has credentials', async () => {
    const credentials = { username: 'u', password: 'p', token: 't' };
    const { send, get, sim } = openRedfish({ credentials });
    expect((await get('/redfish/v1/')).status).toBe(200);
    expect((await get(paths.systems)).status).toBe(401);
    const basic = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
    expect((await send('GET', paths.systems, undefined, basic)).status).toBe(200);
    expect((await send('GET', paths.systems, undefined, { authorization: 'Bearer t' })).status).toBe(200);
    const sessions = '/redfish/v1/SessionService/Sessions';
    expect((await send('POST', sessions, { UserName: 'u', Password: 'x' })).status).toBe(401);
    const token = (await send('POST', sessions, { UserName: 'u', Password: 'p' })).headers['x-auth-token'] ?? '';
    expect((await send('GET', paths.systems, undefined, { 'x-auth-token': token })).status).toBe(200);
    sim.restart();
    expect((await send('GET', paths.systems, undefined, { 'x-auth-token': token })).status).toBe(401);
  });
});

it('both servers listen, with a pool of their own', async () => {
  const served = await Promise.all([startRedfishSim(), startSunfishSim()]);
  onTestFinished(async () => {
    await Promise.all(served.map(({ close }) => close()));
  });
  for (const { url, caPem, sim } of served) {
    const http = gotOver(caPem);
    expect(await http(`${url}${paths.systems}`)).toMatchObject({ 'Members@odata.count': 2 });
    expect(sim.calls().list).toBe(1);
  }
});

function gotOver(ca: string) {
  return (url: string) =>
    new Promise<unknown>((resolve, reject) => {
      request(url, { ca }, (response) => {
        json(response).then(resolve, reject);
      })
        .on('error', reject)
        .end();
    });
}

describe('resource zones', () => {
  it('are told by the blocks, and blocks of two of them are not composed', async () => {
    const zones = { [machineId(0)]: 'a', [gpuId(0)]: 'a', [gpuId(1)]: 'b' };
    const { sim, send, get } = openRedfish({ zones });
    const zone = refs('/redfish/v1/CompositionService/ResourceZones/b');
    expect((await get(paths.block(1))).json).toMatchObject({ Links: { Zones: zone } });
    expect((await get(paths.block(2))).json).not.toHaveProperty('Links.Zones');
    const own = blocksOf(await get(paths.system(0)));
    const add = (gpu: number) =>
      send('PATCH', paths.system(0), { Links: { ResourceBlocks: refs(...own, paths.block(gpu)) } });
    const refused = await add(1);
    expect([refused.status, messageId(refused)]).toEqual([406, 'Composition.1.1.IncompatibleZone']);
    expect((await add(0)).status).toBe(200);
    expect((await add(2)).status).toBe(200);
    expect(sim.attachedTo(machineId(0)).map(({ resUuid }) => resUuid)).toEqual([gpuId(2)]);
  });
});
