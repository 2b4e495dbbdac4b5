import type { Effect } from '@cro/fabric-sim';
import { describe, expect, it } from 'vitest';
import {
  bringUp,
  conditionOf,
  deleteResource,
  eventsOf,
  onlyResource,
  reasonOf,
  resourceNamed,
  takeDown,
} from './world/acts.ts';
import { putRequest, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/* What the Fabric Manager may answer (go-operator-tests.md, 6.1 to 6.3), and what a user sees of it. */

const MINUTE = 60_000;
const error = (message: unknown) => ({ status: 404, detail: { code: 'E02XXXX', message, data: {} } });
const json = (status: number, body: unknown): Effect => ({ tag: 'answer', status, body: { json: body } });
const html = (status: number): Effect => ({ tag: 'answer', status, body: { html: '<html>\n<b>oops</b></html>' } });

/** No device was lost or doubled, whatever was answered. */
async function comesRight(world: World, attaches: number): Promise<void> {
  await until(world, 'running', () => runsWith(world, 'story', 1), 20 * MINUTE);
  expect(world.fabric.calls().attach).toBe(attaches);
  await takeDown(world, 'story');
  world.fabric.assertPoolWhole();
}

describe('the answer to an attach', () => {
  const cases: readonly { what: string; effect: Effect; reason: string; says: string; attaches: number }[] = [
    {
      what: '404 with a code and a text',
      effect: json(404, error('scaleup method not found')),
      reason: 'Rejected',
      says: "failed to process FM scaleup request. FM returned code: 'E02XXXX', error message: 'scaleup method not found' (HTTP 404)",
      attaches: 2,
    },
    {
      what: '400 whose message is an object',
      effect: json(400, error({ a: 1 })),
      reason: 'Rejected',
      says: `FM returned code: 'E02XXXX', error message: '{"a":1}' (HTTP 400)`,
      attaches: 2,
    },
    {
      what: '409, busy',
      effect: json(409, error('busy')),
      reason: 'Busy',
      says: "error message: 'busy' (HTTP 409)",
      attaches: 2,
    },
    {
      what: '404 with a page, which proves nothing',
      effect: html(404),
      reason: 'Protocol',
      says: 'failed to unmarshal FM scaleup error response body into errBody. Original error: ',
      attaches: 2,
    },
    {
      what: '500 with a page before anything was done',
      effect: html(500),
      reason: 'InDoubt',
      says: 'failed to unmarshal FM scaleup error response body into errBody. Original error: ',
      attaches: 2,
    },
    {
      what: '500 with a page after the device was attached',
      effect: { tag: 'answer', status: 500, body: { html: '<p>no</p>' }, when: 'afterChange' },
      reason: 'InDoubt',
      says: '(HTTP 500)',
      attaches: 1,
    },
    {
      what: '200 with a page, the device attached',
      effect: { tag: 'answer', status: 200, body: { html: '<p>hello</p>' }, when: 'afterChange' },
      reason: 'Protocol',
      says: 'failed to unmarshal FM scaleup response body into scaleUpResponse. Original error: ',
      attaches: 1,
    },
    {
      what: '200 without the ids, the device attached',
      effect: { tag: 'omitFields', fields: ['res_uuid'] },
      reason: 'Protocol',
      says: 'data.machines[0].resources[0].res_uuid: found nothing, accepted: ',
      attaches: 1,
    },
    {
      what: '200 without a device in it, the device attached',
      effect: { tag: 'emptyLists', fields: ['resources'] },
      reason: 'Protocol',
      says: 'can not find the added gpu when using FM to add gpu',
      attaches: 1,
    },
    {
      what: '200 of another shape, the device attached',
      effect: { tag: 'answer', status: 200, body: { json: { data: { machines: 'none' } } }, when: 'afterChange' },
      reason: 'Protocol',
      says: 'data.machines: found "none", accepted: array',
      attaches: 1,
    },
  ];

  it.each(cases)('$what: told, once, by its kind; the state stays, and no device is lost', async (one) => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    await world.clock.advance(1_000);
    world.fabric.faults.add({ kind: 'attach', effect: one.effect });
    const seen: { state: string; error: string; reason: string | undefined }[] = [];
    world.kube.observe(() => {
      const [child] = resourcesOf(world);
      const { status } = child ?? {};
      if (status?.error !== undefined) seen.push({ state: status.state, error: status.error, reason: reasonOf(child) });
    });
    putRequest(world, 'story', { size: 1 });
    await until(world, 'told', () => seen.length > 0, MINUTE);
    expect(seen[0]).toMatchObject({ state: 'Attaching', reason: one.reason });
    expect(seen[0]?.error).toContain(one.says);
    await world.clock.advance(5_000);
    const [child] = resourcesOf(world);
    const told = eventsOf(world, child?.metadata.name).filter(({ type }) => type === 'Warning');
    expect(told.map(({ reason, message, count }) => [reason, message, count])).toEqual([
      [one.reason, seen[0]?.error, 1],
    ]);
    await comesRight(world, one.attaches);
  });
});

describe('the answer to a read', () => {
  const cases: readonly { what: string; effect: Effect; reason: string; says: string }[] = [
    {
      what: '404 with a code',
      effect: json(404, error('machine not found')),
      reason: 'Rejected',
      says: "failed to process FM get request. FM returned code: 'E02XXXX', error message: 'machine not found' (HTTP 404)",
    },
    {
      what: '404 with a page',
      effect: html(404),
      reason: 'Protocol',
      says: 'failed to unmarshal FM get error response body into errBody. Original error: ',
    },
    {
      what: '200 with a page',
      effect: html(200),
      reason: 'Protocol',
      says: 'failed to unmarshal FM get machine response body into machineData: ',
    },
    {
      what: '200 with a number where a text must be',
      effect: json(200, { data: { machines: [{ mach_uuid: 7, resources: [] }] } }),
      reason: 'Protocol',
      says: 'data.machines[0].mach_uuid: found 7, accepted: string',
    },
    {
      what: '200 about no machine',
      effect: json(200, { data: { machines: [] } }),
      reason: 'Rejected',
      says: 'is not known to FM',
    },
  ];

  it.each(cases)(
    'before an attach, $what: told, nothing is asked of the fabric, and it is tried again',
    async (one) => {
      const world = await makeWorld({ nodes: 1 });
      world.startOperator();
      await world.clock.advance(1_000);
      const fault = world.fabric.faults.add({ kind: 'get', times: Infinity, effect: one.effect });
      putRequest(world, 'story', { size: 1 });
      await until(world, 'told', () => resourcesOf(world).some(({ status }) => status?.error !== undefined), MINUTE);
      expect(onlyResource(world).status?.error).toContain(one.says);
      expect(onlyResource(world).status?.state).toBe('Attaching');
      expect(reasonOf(onlyResource(world))).toBe(one.reason);
      await world.clock.advance(10 * MINUTE);
      expect(world.fabric.calls().attach).toBe(0);
      expect(eventsOf(world, onlyResource(world).metadata.name)).toMatchObject([
        { type: 'Warning', reason: one.reason, count: 1 },
      ]);
      fault.remove();
      await comesRight(world, 1);
    },
  );

  it.each(cases.filter(({ what }) => what !== '200 about no machine'))(
    'of an Online device, $what: the device stays Online and nothing is concluded about it',
    async (one) => {
      const world = await makeWorld({ nodes: 1 });
      world.startOperator();
      await bringUp(world, 'story', { size: 1 });
      world.fabric.faults.add({ kind: 'get', times: 5, effect: one.effect });
      const before = onlyResource(world).status;
      await world.clock.advance(5 * MINUTE + 1_000);
      expect(onlyResource(world).status).toEqual(before);
      expect(world.log.map(({ fields }) => String(fields['message'])).join('\n')).toContain(one.says);
      await comesRight(world, 1);
    },
  );
});

describe('the answer to a detach', () => {
  const cases: readonly { what: string; effect: Effect; reason: string; says: string; detaches: number }[] = [
    {
      what: '404 with a code',
      effect: json(404, error('scaledown method not found')),
      reason: 'Rejected',
      says: "failed to process FM scaledown request. FM returned code: 'E02XXXX', error message: 'scaledown method not found' (HTTP 404)",
      detaches: 2,
    },
    {
      what: '404 with a page',
      effect: html(404),
      reason: 'Protocol',
      says: 'failed to unmarshal scaledown error response body into errBody. Original error: ',
      detaches: 2,
    },
    {
      what: '202, which promises and does not say that it is done',
      effect: json(202, {}),
      reason: 'Protocol',
      says: '200 or 204 was expected',
      detaches: 2,
    },
    {
      what: '500 after it was done',
      effect: { tag: 'answer', status: 500, body: { html: '<p>no</p>' }, when: 'afterChange' },
      reason: 'InDoubt',
      says: '(HTTP 500)',
      detaches: 1,
    },
  ];

  it.each(cases)('$what: told, the object stays Detaching, and the device goes back', async (one) => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    world.fabric.faults.add({ kind: 'detach', effect: one.effect });
    const seen: { state: string; error: string; reason: string | undefined }[] = [];
    world.kube.observe(() => {
      const object = resourceNamed(world, name);
      const { status } = object ?? {};
      if (status?.error !== undefined)
        seen.push({ state: status.state, error: status.error, reason: reasonOf(object) });
    });
    putRequest(world, 'story', { size: 0 });
    await until(world, 'told', () => seen.length > 0, MINUTE);
    expect(seen[0]).toMatchObject({ state: 'Detaching', reason: one.reason });
    expect(seen[0]?.error).toContain(one.says);
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 20 * MINUTE);
    expect(world.fabric.calls().detach).toBe(one.detaches);
    world.fabric.assertPoolWhole();
  });

  it('a fabric that never answers is given up after its 180 s, and asked what became of the device', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    world.fabric.faults.add({ kind: 'detach', effect: { tag: 'hang', when: 'afterChange' } });
    deleteResource(world, name);
    await world.clock.advance(179_000);
    expect(conditionOf(resourceNamed(world, name), 'Ready')).toMatchObject({ reason: 'Detaching' });
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 60_000);
    expect(world.fabric.calls().detach).toBe(1);
  });
});
