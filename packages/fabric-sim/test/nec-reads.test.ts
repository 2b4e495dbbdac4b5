import { describe, expect, it } from 'vitest';
import { at } from './support/client.ts';
import { makeNec, type NecClient } from './support/nec.ts';

interface Found {
  device: { deviceID: string; type: string; links: { type: string; deviceID: string }[] };
  annotation: unknown;
  nodeIDs?: string[];
  detected?: boolean;
}

async function resources(client: NecClient, path: string): Promise<Found[]> {
  return (await client.send('GET', path)).body['resources'] as Found[];
}

const unused = async (client: NecClient, query = '') =>
  (await resources(client, `/resources/unused${query}`))
    .map(({ device }) => device.deviceID)
    .filter((id) => id.includes('-7000-'));

async function nodeIDsOf(client: ReturnType<typeof makeNec>['client'], id: string): Promise<unknown> {
  return (await client.send('GET', `/resources/${id}`)).body['nodeIDs'];
}

describe('what the configuration manager shows', () => {
  it('is each device with its links, or a summary of it', async () => {
    const { sim, client, gpu, machine } = makeNec();
    sim.move(gpu(0), machine(1));
    const full = await resources(client, '/resources?detail=TRUE');
    expect(full).toHaveLength(7);
    expect(full.find(({ device }) => device.deviceID === gpu(0))).toMatchObject({
      device: {
        type: 'GPU',
        model: 'NVIDIA-A100-PCIE-80GB',
        status: { state: 'Enabled', health: 'OK' },
        powerState: 'Off',
        links: [{ type: 'CPU', deviceID: machine(1) }],
      },
      annotation: { available: true },
      nodeIDs: [machine(1)],
      detected: true,
    });
    expect(Object.keys(at(await resources(client, '/resources'), 0).device)).toEqual(['deviceID', 'type', 'status']);
    expect(JSON.stringify(full)).not.toContain('GPU-0000');
    expect((await client.send('GET', '/resources?detail=')).status).toBe(400);
    expect((await client.send('GET', `/resources/${machine(1)}`)).body).toMatchObject({ device: { type: 'CPU' } });
    expect(await client.send('GET', '/resources/nothing')).toEqual({
      status: 404,
      body: { code: 'notFound', message: 'Not Found. Check the request URL.', details: 'No search results' },
    });
  });

  it('has fabric adapters between in the product’s dialect', async () => {
    const { sim, client, gpu, machine } = makeNec({ dialect: 'product' });
    sim.move(gpu(0), machine(1));
    const full = await resources(client, '/resources?detail=true');
    const linksOf = (id: string) => full.find(({ device }) => device.deviceID === id)?.device.links;
    const down = [{ type: 'destinationFabricAdapter', deviceID: `dfa-${machine(1)}` }];
    expect(linksOf(gpu(0))).toEqual(down);
    expect(linksOf(`sfa-${machine(1)}`)).toEqual(down);
  });

  it('is old for a while, or until a synchronisation', async () => {
    const { clock, sim, client, gpu, machine } = makeNec({ viewLagMs: 5_000 });
    sim.move(gpu(0), machine(0));
    expect(await unused(client)).toContain(gpu(0));
    await clock.advance(5_000);
    expect(await unused(client)).not.toContain(gpu(0));
    const slow = makeNec({ viewLagMs: Infinity, syncMs: 1_000 });
    slow.sim.move(gpu(0), machine(0));
    expect((await slow.client.send('POST', '/devices/sync')).status).toBe(202);
    expect(await unused(slow.client)).toContain(gpu(0));
    await slow.clock.advance(1_000);
    expect(await unused(slow.client)).not.toContain(gpu(0));
    expect((await slow.client.send('GET', `/devices/${gpu(0)}`)).body).toMatchObject({
      links: [{ deviceID: machine(0) }],
    });
  });

  it('as unused is neither linked, nor sick, nor under maintenance, nor undetected, nor of another group', async () => {
    const { sim, client, gpu, machine } = makeNec();
    sim.move(gpu(0), machine(0));
    expect(await unused(client)).toEqual([gpu(1), gpu(2), gpu(3)]);
    sim.setGroups(gpu(1), ['group-a']);
    expect(await unused(client, '?resourceGroupID=group-a&resourceGroupID=group-b')).toEqual([gpu(1)]);
    expect(await unused(client, '?resourceGroupID=group-b')).toEqual([]);
    await client.send('PUT', `/resources/${gpu(1)}/annotation`, { available: false });
    sim.setHealth(gpu(2), '1');
    sim.setDetected(gpu(3), false);
    expect(await unused(client)).toEqual([]);
    const [first] = await resources(client, '/resources/unused');
    expect(first).not.toHaveProperty('nodeIDs');
  });

  it('as nodes are those with something in them, in summary', async () => {
    const { sim, client, gpu, machine } = makeNec();
    sim.move(gpu(0), machine(1));
    const { body } = await client.send('GET', '/nodes?detail=true');
    expect(body).toMatchObject({ count: 1, nodes: [{ id: machine(1), resources: [{ device: { type: 'CPU' } }, {}] }] });
    expect(JSON.stringify(body)).not.toContain('model');
    expect((await client.send('GET', `/nodes/${machine(1)}`)).status).toBe(200);
    expect((await client.send('GET', `/nodes/${machine(0)}`)).status).toBe(404);
    expect(await nodeIDsOf(client, machine(1))).toEqual([machine(1)]);
    expect(await nodeIDsOf(client, machine(0))).toEqual([]);
  });

  it('is in groups that there are', async () => {
    const { sim, client, gpu } = makeNec();
    const put = (...groups: string[]) => client.send('PUT', `/resources/${gpu(0)}/resource-groups`, groups);
    expect(await put('g')).toMatchObject({
      status: 400,
      body: { details: 'The target group for update did not exist' },
    });
    sim.setGroups(gpu(1), ['g']);
    expect((await put('g')).status).toBe(200);
    expect(await put('g', 'h')).toMatchObject({ status: 400, body: { details: 'multiple groups specified error' } });
    const { body } = await client.send('GET', '/resource-groups/g');
    expect(body).toMatchObject({
      id: 'g',
      resources: [{ device: { deviceID: gpu(0) } }, { device: { deviceID: gpu(1) } }],
    });
    expect((await client.send('GET', '/resource-groups/h')).status).toBe(404);
    expect((await client.send('GET', '/resource-groups')).body).toMatchObject({ count: 2 });
  });

  it('is shown to the bearer of the token alone', async () => {
    const { sim, client } = makeNec({ token: 'opens-it' });
    expect(await client.send('GET', '/resources')).toEqual({ status: 401, body: { message: 'Unauthorized' } });
    client.token = 'opens-it';
    expect((await client.send('GET', '/resources')).status).toBe(200);
    sim.setToken('another');
    expect((await client.send('POST', '/layout-apply', { procedures: [] })).status).toBe(401);
  });
});

describe('hw-control, as a real layout-apply drives it', () => {
  it('switches and connects at once, and refuses what conflicts', async () => {
    const { sim, client, gpu, machine } = makeNec();
    const aggregate = (action: string, deviceID: string, cpu = machine(0)) =>
      client.send('PUT', `/cpu/${cpu}/aggregations`, { action, deviceID });
    expect((await client.send('GET', `/devices/${gpu(0)}/specs`)).body).toMatchObject({
      powerState: 'Off',
      powerCapability: true,
    });
    expect((await client.send('PUT', `/devices/${gpu(0)}/power`, { action: 'on' })).status).toBe(200);
    expect((await client.send('GET', `/devices/${gpu(0)}/specs`)).body).toMatchObject({ powerState: 'On' });
    expect((await aggregate('connect', gpu(0))).status).toBe(200);
    expect(sim.attachedTo(machine(0))).toHaveLength(1);
    expect(await aggregate('connect', gpu(0), machine(1))).toMatchObject({
      status: 409,
      body: { code: 'EF011BAS000' },
    });
    expect((await aggregate('disconnect', gpu(0), 'nowhere')).status).toBe(404);
    expect((await aggregate('disconnect', gpu(0))).status).toBe(200);
    expect((await aggregate('dance', gpu(0))).status).toBe(400);
    sim.assertPoolWhole();
    expect((await client.send('GET', `/cpu/${machine(0)}/is-os-ready`)).status).toBe(200);
    expect((await client.send('GET', `/cpu/${gpu(0)}/is-os-ready`)).body).toMatchObject({ code: 'EF003BAS010' });
    expect((await client.send('GET', `/devices/${machine(0)}/specs`)).body).toMatchObject({ type: 'CPU' });
    expect((await client.send('GET', '/devices/nothing/specs')).status).toBe(404);
  });
});
