import { makeGpus, type FabricSim, type FabricSimOptions } from '@cro/fabric-sim';
import { describe, expect, it } from 'vitest';
import { at, errorOf, logIn, makeFabric, MODEL, never } from './support/client.ts';

const gpus = makeGpus(4, MODEL);
const SPEC = '00000000-8000-4000-8000-000000000001';

async function open(options: Partial<FabricSimOptions> = {}) {
  const { sim, clock, machine } = makeFabric(options);
  const { token } = await logIn(sim);
  const client = new CmClient(sim, token, machine(0));
  return { sim, clock, client, machine: machine(0) };
}

interface CmAnswer {
  data: { cluster: { machine: { uuid: string; resspecs: CmSpec[] } } };
}
interface CmSpec {
  spec_uuid: string;
  type: string;
  max_resspec_count: number;
  device_count: number;
  devices: { device_id: string; status: string; status_reason: string; detail: { res_uuid: string } }[] | null;
}

class CmClient {
  readonly sim: FabricSim;
  readonly token: string;
  readonly machine: string;

  constructor(sim: FabricSim, token: string, machine: string) {
    this.sim = sim;
    this.token = token;
    this.machine = machine;
  }

  send(method: string, tail: string, body?: unknown, cluster = this.sim.cluster) {
    const path = `/cluster_manager/cluster_autoscaler/v3/tenants/${this.sim.tenant}/clusters/${cluster}/machines/${tail}`;
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.sim.handle({ method, path, headers, ...content }, never());
  }

  grow(device_count: number, spec_uuid = SPEC) {
    return this.send('POST', `${this.machine}/actions/resize`, {
      increase_resource_count: { spec_uuid, device_count },
    });
  }

  shrink(device_count: number, ...devices: string[]) {
    const remove_resources = { spec_uuid: SPEC, device_count, devices };
    return this.send('POST', `${this.machine}/actions/resize`, { remove_resources });
  }

  /** The spec of the GPUs: its count, and each device with its status. */
  async spec(): Promise<readonly [number, readonly string[]]> {
    const { data } = JSON.parse((await this.send('GET', this.machine)).body) as CmAnswer;
    const spec = at(data.cluster.machine.resspecs, 1);
    return [spec.device_count, (spec.devices ?? []).map(({ device_id, status }) => `${status} ${device_id}`)];
  }
}

const [first, second] = [at(gpus, 0), at(gpus, 1)];

describe('CM', () => {
  it('shows a spec for each kind of device, with null for no devices', async () => {
    const { client, machine } = await open({ maxPerSpec: 3 });
    const { data } = JSON.parse((await client.send('GET', machine)).body) as CmAnswer;
    expect(data.cluster.machine.uuid).toBe(machine);
    const [cpu, gpu] = data.cluster.machine.resspecs;
    expect([cpu?.type, gpu?.type]).toEqual(['cpu', 'gpu']);
    expect(gpu).toMatchObject({ spec_uuid: SPEC, max_resspec_count: 3, device_count: 0, devices: null });
  });

  it.each([[200], [202]] as const)(
    'accepts a resize with %i and no body, and works on it afterwards',
    async (status) => {
      const { client, clock, sim } = await open({ attachMs: 1_000, detachMs: 2_000, resizeStatus: status });
      expect(await client.grow(2)).toMatchObject({ status, body: '' });
      expect(await client.spec()).toEqual([2, [`ADDING ${first.serial}`, `ADDING ${second.serial}`]]);
      await clock.advance(1_000);
      expect(await client.spec()).toEqual([2, [`ADD_COMPLETE ${first.serial}`, `ADDING ${second.serial}`]]);
      await clock.advance(1_000);
      expect(await client.shrink(1, first.serial)).toMatchObject({ status, body: '' });
      expect(await client.spec()).toEqual([2, [`REMOVING ${first.serial}`, `ADD_COMPLETE ${second.serial}`]]);
      await clock.advance(2_000);
      expect(await client.spec()).toEqual([1, [`ADD_COMPLETE ${second.serial}`]]);
      expect(sim.calls()).toMatchObject({ attach: 1, detach: 1 });
    },
  );

  it('sees what the Fabric Manager attached, and the other way round', async () => {
    const { client, sim, machine } = await open();
    sim.move(first.resUuid, machine);
    await client.grow(2);
    const fm = await logIn(sim);
    expect((await fm.get(machine)).body).toContain(second.resUuid);
    expect(await client.spec()).toEqual([2, [`ADD_COMPLETE ${first.serial}`, `ADD_COMPLETE ${second.serial}`]]);
  });

  it('refuses a resize that is no change, goes too far, names no spec or nothing that is there', async () => {
    const { client, machine, sim } = await open({ maxPerSpec: 2 });
    await client.grow(1);
    const answers = [
      await client.grow(1),
      await client.grow(3),
      await client.grow(2, 'no-such-spec'),
      await client.shrink(0, second.serial),
      await client.shrink(1, first.serial),
      await client.send('POST', `${machine}/actions/resize`, { more: 1 }),
      await client.send('GET', 'nowhere'),
      await client.send('GET', machine, undefined, 'another-cluster'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404, 400, 400, 404, 404]);
    expect(errorOf(at(answers, 6)).detail.message).toBe('machine not found');
    expect(sim.attachedTo(machine)).toHaveLength(1);
  });

  it('refuses a second resize while one is at work, when busy machines refuse', async () => {
    const { client, clock } = await open({ attachMs: 1_000, whenBusy: 'refuse' });
    await client.grow(1);
    expect((await client.grow(2)).status).toBe(409);
    await clock.advance(1_000);
    expect(await client.spec()).toEqual([1, [`ADD_COMPLETE ${first.serial}`]]);
  });

  it('lets nobody in without a token', async () => {
    const { sim, machine } = await open();
    expect((await new CmClient(sim, 'x.y.z', machine).send('GET', machine)).status).toBe(401);
  });
});

describe('faults of CM', () => {
  it('a resize that fails leaves its device listed and taken until it is removed', async () => {
    const { client, sim } = await open();
    sim.faults.add({ kind: 'attach', effect: { tag: 'resizeFails', reason: 'no power' } });
    await client.grow(1);
    expect(await client.spec()).toEqual([1, [`ADD_FAILED ${first.serial}`]]);
    expect(sim.snapshot().reserved).toEqual([first.resUuid]);
    await client.shrink(0, first.serial);
    expect(await client.spec()).toEqual([0, []]);
    sim.assertPoolWhole();
  });

  it('or vanishes', async () => {
    const { client, sim } = await open();
    sim.faults.add({ kind: 'attach', effect: { tag: 'resizeFails', reason: '', vanishes: true } });
    await client.grow(1);
    expect(await client.spec()).toEqual([0, []]);
    sim.assertPoolWhole();
  });

  it('a removal that fails leaves the device there, with the reason', async () => {
    const { client, sim, machine } = await open();
    await client.grow(1);
    sim.faults.add({ kind: 'detach', effect: { tag: 'resizeFails', reason: 'in use' } });
    await client.shrink(0, first.serial);
    expect((await client.send('GET', machine)).body).toContain('"status":"REMOVE_FAILED","status_reason":"in use"');
    await client.shrink(0, first.serial);
    sim.assertPoolWhole();
  });

  it('a removal takes another device than the one named', async () => {
    const { client, sim } = await open();
    await client.grow(2);
    sim.faults.add({ kind: 'detach', effect: { tag: 'wrongDevice' } });
    await client.shrink(1, second.serial);
    expect(await client.spec()).toEqual([1, [`ADD_COMPLETE ${second.serial}`]]);
  });

  it('a device is in the count before it is in the list', async () => {
    const { client, clock, sim } = await open();
    sim.faults.add({ kind: 'attach', effect: { tag: 'unlistedFor', ms: 500 } });
    await client.grow(1);
    expect(await client.spec()).toEqual([1, []]);
    await clock.advance(500);
    expect(await client.spec()).toEqual([1, [`ADD_COMPLETE ${first.serial}`]]);
  });
});
