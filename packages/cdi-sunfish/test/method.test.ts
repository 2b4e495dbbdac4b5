import { describe, expect, test } from 'vitest';
import { contextOf, MODEL, openRedfish, openSunfish } from './support/fabric.ts';
import { attachedTo, sentWith, stepsOn } from './support/steps.ts';

const SYSTEMS = '/redfish/v1/Systems';

describe('how a GPU is attached', () => {
  test('is by the actions of the system where it has them', async () => {
    const fabric = openRedfish({ composeBy: 'action' });
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    expect(sentWith(fabric, 'POST').map(({ path }) => path)).toEqual([
      `${SYSTEMS}/${fabric.machine}/Actions/ComputerSystem.AddResourceBlock`,
    ]);
  });

  test('is by the list of blocks alone, held against the ETag, where it can be changed', async () => {
    const fabric = openRedfish({ etags: 'required' });
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    const [patch, ...more] = sentWith(fabric, 'PATCH');
    expect(more).toEqual([]);
    expect(patch?.path).toBe(`${SYSTEMS}/${fabric.machine}`);
    expect(patch?.headers['if-match']).toMatch(/\S/);
    expect(Object.keys(patch?.body ?? {})).toEqual(['Links']);
    expect(patch?.body).toMatchObject({ Links: { ResourceBlocks: [{}, {}] } });
  });

  test('on the Sunfish server takes all links and the owner of the object along', async () => {
    const fabric = openSunfish();
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    const uri = `${SYSTEMS}/${fabric.machine}`;
    expect(sentWith(fabric, 'PATCH')[0]?.body).toMatchObject({
      '@odata.id': uri,
      Id: fabric.machine,
      Links: { Chassis: [{ '@odata.id': '/redfish/v1/Chassis/Pool' }], ResourceBlocks: [{}, {}] },
      Oem: { Sunfish_RM: {} },
    });
    const context = { signal: new AbortController().signal };
    const { body } = await fabric.sim.handle({ method: 'GET', path: uri, headers: {} }, context.signal);
    expect(JSON.parse(body)).toMatchObject({ Links: { Chassis: [{}], ResourceBlocks: [{}, {}] } });
  });

  test('is by a connection of endpoints where a system has no blocks', async () => {
    const fabric = openRedfish({ composeBy: 'connections' });
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    const [post] = sentWith(fabric, 'POST');
    expect(post?.path).toBe('/redfish/v1/Fabrics/CXL/Connections');
    expect(post?.body).not.toHaveProperty('ConnectionType');
  });

  test('is told to be impossible where a service offers nothing', async () => {
    const fabric = openRedfish({ composeBy: 'connections' });
    fabric.sim.faults.add({
      path: '/redfish/v1/',
      times: Infinity,
      effect: { tag: 'omitFields', fields: ['Fabrics'] },
    });
    const outcome = await stepsOn(fabric).prepare();
    expect(outcome).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
    expect(outcome.tag === 'failed' && outcome.failure.message).toMatch(new RegExp(fabric.machine));
    expect(sentWith(fabric, 'POST')).toEqual([]);
  });
});

describe('which block is chosen', () => {
  test('is none that any system lists, whatever it says of itself', async () => {
    const fabric = openRedfish({ blockState: 'stuck', etags: 'none' });
    const [first, second] = fabric.sim.snapshot().free;
    fabric.sim.move(first ?? '', fabric.machines[1]);
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    expect(attachedTo(fabric)).toEqual([second]);
  });

  test('is the next one when another system has taken the first meanwhile', async () => {
    const fabric = openRedfish();
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket();
    const [first, second] = fabric.sim.snapshot().free;
    fabric.sim.move(first ?? '', fabric.machines[1]);
    expect(await steps.start(ticket)).toMatchObject({
      tag: 'refused',
      failure: { kind: 'Busy', message: expect.stringContaining('ResourceBlockInUse') as string },
    });
    // What systems list is out of date for a moment: what was refused is not offered again.
    fabric.sim.move(first ?? '', undefined);
    expect((await steps.attach()).tag).toBe('done');
    expect(attachedTo(fabric)).toEqual([second]);
  });

  test('is one in the zone of the system, or in none', async () => {
    const ids = openRedfish().sim.snapshot().free;
    const [near, far] = ['near', 'far'];
    const machine = openRedfish().machine;
    const zones = { [machine]: near, [ids[0] ?? '']: far, [ids[1] ?? '']: far, [ids[2] ?? '']: near };
    const fabric = openRedfish({ zones });
    const steps = stepsOn(fabric);
    const { provider, settle } = fabric;
    const query = { type: 'gpu', model: MODEL, machine } as const;
    expect(await settle(provider.inventory(query, contextOf(provider)))).toEqual({ tag: 'free', count: 2 });
    for (const _ of [1, 2]) expect((await steps.attach()).tag).toBe('done');
    expect(attachedTo(fabric)).toEqual([ids[2], ids[3]]);
    expect(await steps.prepare()).toMatchObject({ tag: 'failed', failure: { kind: 'Exhausted' } });
  });
});

describe('a system that changes while it is being changed', () => {
  test('is read anew, and nobody loses a block', async () => {
    const fabric = openRedfish({ etags: 'required' });
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket();
    const [, , third, fourth] = fabric.sim.snapshot().free;
    // Somebody else attaches with a PATCH of their own right after our read: ours is held against an ETag of the past.
    const { machine, sim } = fabric;
    const stale = {
      tag: 'answer',
      status: 412,
      body: { json: { error: { code: 'Base.1.18.PreconditionFailed' } } },
    } as const;
    for (const _ of [1, 2]) sim.faults.add({ kind: 'attach', effect: stale });
    sim.move(third ?? '', machine);
    sim.move(fourth ?? '', machine);
    expect((await steps.start(ticket)).tag).toBe('done');
    expect(new Set(attachedTo(fabric))).toEqual(new Set([third, fourth, sim.snapshot().machines[machine]?.[2]]));
    expect(sentWith(fabric, 'PATCH')).toHaveLength(3);
  });

  test('again and again is busy, and asked three times', async () => {
    const fabric = openRedfish({ etags: 'required' });
    const stale = { tag: 'answer', status: 412, body: { html: '<html>stale</html>' } } as const;
    fabric.sim.faults.add({ kind: 'attach', times: Infinity, effect: stale });
    expect(await stepsOn(fabric).attach()).toMatchObject({ tag: 'refused', failure: { kind: 'Busy' } });
    expect(sentWith(fabric, 'PATCH')).toHaveLength(3);
  });

  test('and asks for a precondition that it gives no ETag for is told as busy', async () => {
    const fabric = openRedfish({ etags: 'none' });
    const wants = { tag: 'answer', status: 428, body: { html: '' } } as const;
    fabric.sim.faults.add({ kind: 'attach', effect: wants });
    expect(await stepsOn(fabric).attach()).toMatchObject({ tag: 'refused', failure: { kind: 'Busy' } });
    expect(sentWith(fabric, 'PATCH')[0]?.headers['if-match']).toBeUndefined();
  });
});
