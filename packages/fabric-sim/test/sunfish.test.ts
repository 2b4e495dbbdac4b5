import { ConnectionLost } from '@cro/fabric-sim';
import { describe, expect, it } from 'vitest';
import { blocksOf, connectionBody, gpuId, machineId, openSunfish, paths, refs } from './support/redfish.ts';

describe('the tree', () => {
  it('knows the root with its slash only, and answers what it lacks in HTML', async () => {
    const { get } = openSunfish();
    expect((await get('/redfish/v1')).status).toBe(404);
    expect((await get('/redfish/v1/')).status).toBe(200);
    expect(await get('/redfish/v1/Nothing')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '[Error] Resource Nothing not found.',
    });
  });

  it('has wrong links to collections, and every object is marked with its agent', async () => {
    const { get } = openSunfish();
    const { json } = await get(paths.system(0));
    expect(json).toMatchObject({
      Processors: { '@odata.id': '/redfish/v1/Processors' },
      Oem: { Sunfish_RM: { BoundaryComponent: 'owned' } },
    });
    expect((await get(`${paths.system(0)}/Processors`)).status).toBe(200);
  });

  it('does not learn of what is done by hand', async () => {
    const { sim, get } = openSunfish();
    sim.move(gpuId(0), machineId(0));
    expect(blocksOf(await get(paths.system(0)))).toHaveLength(1);
    sim.resync();
    expect(blocksOf(await get(paths.system(0)))).toHaveLength(2);
  });
});

describe('a PATCH of a system', () => {
  async function attach(changes: (system: Record<string, unknown>) => object, aliases: 'absent' | 'own' = 'absent') {
    const fabric = openSunfish({ aliases });
    const system = (await fabric.get(paths.system(0))).json;
    const answer = await fabric.send('PATCH', paths.system(0), changes(system));
    return { ...fabric, answer, attached: fabric.sim.attachedTo(machineId(0)).length };
  }
  const links = { ResourceBlocks: refs(paths.block(0)) };
  const own = (system: Record<string, unknown>) => {
    const { ResourceBlocks: present = [], ...others } = system['Links'] as { ResourceBlocks: unknown[] };
    return {
      '@odata.id': system['@odata.id'],
      Links: { ...others, ResourceBlocks: [...present, ...links.ResourceBlocks] },
    };
  };

  it('replaces Links as a whole', async () => {
    const { answer, get, attached } = await attach(own);
    expect(answer.status).toBe(200);
    expect(attached).toBe(1);
    expect((await get(paths.block(0))).json).toMatchObject({ CompositionStatus: { CompositionState: 'Unused' } });
  });

  it('without @odata.id falls over and does nothing', async () => {
    const { answer, attached } = await attach((system) => ({ Links: own(system).Links }));
    expect({ status: answer.status, attached }).toEqual({ status: 500, attached: 0 });
  });

  it('without the mark of the agent falls over after the agent has acted, while there are aliases', async () => {
    const { answer, attached } = await attach(own, 'own');
    expect({ status: answer.status, attached }).toEqual({ status: 500, attached: 1 });
    const echoed = await attach((system) => ({ ...own(system), Oem: system['Oem'] }), 'own');
    expect(echoed.answer.status).toBe(200);
  });

  it('that the agent refuses closes the connection; without the agent it is a page, and reads go on', async () => {
    await expect(attach(() => ({ '@odata.id': paths.system(0), Links: links }))).rejects.toThrow(ConnectionLost);
    const { sim, send, get } = openSunfish();
    sim.setAgentUp(false);
    const system = (await get(paths.system(0))).json;
    expect((await send('PATCH', paths.system(0), own(system))).status).toBe(500);
    sim.assertPoolWhole();
  });
});

describe('a connection', () => {
  it('is made and deleted with 200', async () => {
    const { sim, send, get } = openSunfish({ composeBy: 'connections' });
    const body = connectionBody('x-1', 0, gpuId(0));
    expect((await get(paths.connections)).status).toBe(404);
    expect((await send('POST', paths.connections, body)).status).toBe(200);
    expect((await get(paths.connections)).json).toMatchObject({ Members: refs(`${paths.connections}/x-1`) });
    expect(sim.attachedTo(machineId(0))).toHaveLength(1);
    expect(await send('DELETE', `${paths.connections}/x-1`)).toMatchObject({ status: 200, json: {} });
    sim.assertPoolWhole();
  });

  it('needs its type; with an Id and no @odata.id the server falls over', async () => {
    const { send } = openSunfish({ composeBy: 'connections' });
    const { '@odata.type': type, '@odata.id': uri, ...rest } = connectionBody('x-1', 0, gpuId(0));
    const answer = await send('POST', paths.connections, { ...rest, '@odata.id': uri });
    expect(answer).toMatchObject({ status: 400, body: 'Attribute not found: @odata.type.' });
    expect((await send('POST', paths.connections, { ...rest, '@odata.type': type })).status).toBe(500);
  });

  it('is a ghost after its DELETE while there are aliases', async () => {
    const { sim, send, get } = openSunfish({ composeBy: 'connections', aliases: 'own' });
    const uri = `${paths.connections}/x-1`;
    await send('POST', paths.connections, connectionBody('x-1', 0, gpuId(0)));
    expect((await send('DELETE', uri)).status).toBe(500);
    expect(sim.attachedTo(machineId(0))).toEqual([]);
    expect((await get(uri)).status).toBe(200);
    await expect(send('DELETE', uri)).rejects.toThrow(ConnectionLost);
    expect((await send('POST', paths.connections, connectionBody('x-1', 0, gpuId(0)))).status).toBe(409);
    expect(sim.attachedTo(machineId(0))).toHaveLength(1);
  });

  it('to an agent that the aliases do not name is made, and the answer is a page', async () => {
    const { sim, send } = openSunfish({ composeBy: 'connections', aliases: 'foreign' });
    expect((await send('POST', paths.connections, connectionBody('x-1', 0, gpuId(0)))).status).toBe(500);
    expect(sim.attachedTo(machineId(0))).toHaveLength(1);
  });
});
