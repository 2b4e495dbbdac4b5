import { makeGpus } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import {
  attachOne,
  carryOut,
  openCm,
  prepare,
  resume,
  resumeToEnd,
  start,
  strike,
  ticketFor,
  toAttach,
  toDetach,
} from '../support/cm.ts';
import { contextOf, MODEL } from '../support/fabric.ts';
import { answer, framed, html } from '../support/steps.ts';

/** The spec of the first model of the pool. */
const spec_uuid = '00000000-8000-4000-8000-000000000001';

describe('an attach', () => {
  test('asks for one more of the spec, once, and names the device when it is complete', async () => {
    const world = openCm({ attachMs: 20_000 });
    await attachOne(world);
    const { deviceId, cdiDeviceId } = await attachOne(world);
    const [, second] = makeGpus(2, MODEL);
    expect([deviceId, cdiDeviceId]).toEqual([second?.serial, second?.resUuid]);
    const posts = world.sent.filter(({ url }) => url.endsWith(`/machines/${world.machine}/actions/resize`));
    expect(posts.map(({ method, body }) => [method, body])).toEqual(
      [1, 2].map((device_count) => ['POST', JSON.stringify({ increase_resource_count: { spec_uuid, device_count } })]),
    );
  });

  test('is noticed within a second of its end, at a call a second', async () => {
    const world = openCm({ attachMs: 300_400 });
    const ticket = await ticketFor(world, toAttach(world));
    const before = world.sim.calls().get;
    await start(world, ticket);
    const { outcome, looks } = await resumeToEnd(world, ticket);
    expect(outcome.tag).toBe('done');
    const times = world.sim
      .callLog()
      .filter(({ kind }) => kind === 'get')
      .slice(before)
      .map(({ startedMs }) => startedMs);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(gaps).toEqual(gaps.map(() => 1_000));
    expect(looks).toBeLessThanOrEqual(302);
    expect((times.at(-1) ?? 0) - 300_400).toBeLessThanOrEqual(1_000);
  });

  test.each([[200], [202]] as const)('accepted with %i is not done', async (resizeStatus) => {
    const world = openCm({ attachMs: 5_000, resizeStatus });
    const ticket = await ticketFor(world, toAttach(world));
    expect(await start(world, ticket)).toEqual({ tag: 'pending', retryAfterMs: 1_000 });
    expect(await resume(world, ticket)).toEqual({ tag: 'pending', retryAfterMs: 1_000 });
  });

  test('of a model without a spec is an error, and asks for nothing', async () => {
    const world = openCm();
    const message = `CM has no resource specification of type gpu and model NO-SUCH for machine '${world.machine}': add one there, or correct the model`;
    expect(await prepare(world, toAttach(world, { model: 'NO-SUCH' }))).toEqual({
      tag: 'failed',
      failure: { kind: 'Rejected', message },
    });
    expect(world.sim.calls().attach).toBe(0);
  });

  test('beyond what CM allows the machine is exhausted', async () => {
    const world = openCm({ maxPerSpec: 1 });
    await attachOne(world);
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'failed', failure: { kind: 'Exhausted' } });
  });

  test('that fails says why, and may be tried again', async () => {
    const world = openCm();
    const reason = 'add failed due to some reasons';
    strike(world, 'attach', { tag: 'resizeFails', reason });
    expect(await carryOut(world, toAttach(world))).toEqual({
      tag: 'notDone',
      failure: { kind: 'Unreachable', message: `an error occurred with the resource in CM: '${reason}'` },
    });
    const [failed, next] = makeGpus(2, MODEL);
    expect(await carryOut(world, toAttach(world))).toMatchObject({
      tag: 'done',
      device: { cdiDeviceId: next?.resUuid },
    });
    // What failed holds its place: it is shown, so that it is given back, and can be.
    const { devices } = await world.settle(world.provider.list([world.machine], contextOf(world.provider)));
    const shown = devices.find(({ cdiDeviceId }) => cdiDeviceId === failed?.resUuid);
    expect(shown?.health).toEqual({
      level: 'critical',
      message: `the target gpu '${failed?.serial}' could not be added in CM: '${reason}'`,
    });
    expect(await carryOut(world, toDetach(world, { cdiDeviceId: failed?.resUuid ?? '' }))).toEqual({ tag: 'done' });
    expect(world.sim.snapshot()).toMatchObject({ reserved: [], machines: { [world.machine]: [next?.resUuid] } });
  });

  test('that vanishes without a word is told as unchanged', async () => {
    const world = openCm({ attachMs: 5_000 });
    strike(world, 'attach', { tag: 'resizeFails', reason: '', vanishes: true });
    expect(await carryOut(world, toAttach(world))).toMatchObject({ tag: 'unchanged' });
  });

  test('whose device is in the count and not in the list is waited for, and not for ever', async () => {
    const world = openCm({}, { settleSeconds: 60 });
    strike(world, 'attach', { tag: 'unlistedFor', ms: 90_000 });
    const ticket = await ticketFor(world, toAttach(world));
    await start(world, ticket);
    const { outcome } = await resumeToEnd(world, ticket);
    const message = `CM accepted one more ${MODEL} for machine '${world.machine}' and shows no new device: see in CM what became of it`;
    expect(outcome).toMatchObject({ tag: 'unchanged', failure: { kind: 'Unreachable', message } });
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(60_000);
    await world.clock.advance(31_000);
    expect(await resume(world, ticket)).toMatchObject({ tag: 'done' });
  });

  test.each([
    [
      'an error of CM',
      framed(404, 'resize not found'),
      'refused',
      'Rejected',
      ", CM returned code: 'E02XXXX', error message: 'resize not found'",
    ],
    [
      'a page of something else',
      html(404),
      'inDoubt',
      'Protocol',
      ", and the body is not an error of CM: invalid character '<' looking for beginning of value",
    ],
  ])('answered with %s', async (_, effect, tag, kind, more) => {
    const world = openCm();
    const ticket = await ticketFor(world, toAttach(world));
    strike(world, 'attach', effect);
    const message = `failed to process CM scaleup request. http returned status: 404${more}`;
    expect(await start(world, ticket)).toEqual({ tag, failure: { kind, message } });
    expect(world.sim.snapshot().machines[world.machine]).toEqual([]);
  });
});

describe('what is somebody else’s', () => {
  const [first, second] = makeGpus(2, MODEL);

  test('a resize that is pending is never added to', async () => {
    const world = openCm({ attachMs: 30_000 });
    const ticket = await ticketFor(world, toAttach(world));
    await start(world, ticket);
    const told = await prepare(world, toAttach(world));
    const message = `CM has not done with gpu '${first?.serial}' of machine '${world.machine}', whose status is 'ADDING': waiting for that`;
    expect(told).toEqual({ tag: 'failed', failure: { kind: 'Busy', message } });
    await resumeToEnd(world, ticket);
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'ticket' });
  });

  test('nor is one that was accepted and is not listed yet', async () => {
    const world = openCm();
    strike(world, 'attach', { tag: 'unlistedFor', ms: 60_000 });
    await start(world, await ticketFor(world, toAttach(world)));
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
    await world.clock.advance(60_000);
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'ticket' });
  });

  test('a count that is never met holds nobody up beyond the settle window', async () => {
    const world = openCm({}, { settleSeconds: 60 });
    strike(world, 'attach', { tag: 'unlistedFor', ms: 3_000_000 });
    await start(world, await ticketFor(world, toAttach(world)));
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
    await world.clock.advance(60_000);
    expect(await prepare(world, toAttach(world))).toMatchObject({ tag: 'ticket' });
  });

  test('a word that nobody knows is waited for', async () => {
    const world = openCm();
    const { cdiDeviceId } = await attachOne(world);
    const body = JSON.parse((await rawGet(world)).replace('ADD_COMPLETE', 'PONDERING')) as unknown;
    strike(world, 'get', answer(200, body));
    const told = await prepare(world, toAttach(world));
    expect(told).toMatchObject({ failure: { kind: 'Busy' } });
    expect(JSON.stringify(told)).toContain("whose status is 'PONDERING'");
    strike(world, 'get', answer(200, body));
    const { devices } = await world.settle(world.provider.list([world.machine], contextOf(world.provider)));
    expect(devices).toMatchObject([{ cdiDeviceId, health: { level: 'unknown' } }]);
  });

  test('a device that another has is not adopted, and one beside it that is complete is', async () => {
    const world = openCm({ attachMs: 40_000 });
    const ticket = await ticketFor(world, toAttach(world));
    await start(world, ticket);
    world.sim.move(second?.resUuid ?? '', world.machine);
    expect(await resume(world, ticket, [second?.resUuid ?? ''])).toMatchObject({ tag: 'pending' });
    expect(await resume(world, ticket)).toMatchObject({ tag: 'done', device: { cdiDeviceId: second?.resUuid } });
  });

  test('an add that had failed before is not taken for the failure of this one', async () => {
    const world = openCm({ attachMs: 5_000 });
    strike(world, 'attach', { tag: 'resizeFails', reason: 'the first' });
    await carryOut(world, toAttach(world));
    const ticket = await ticketFor(world, toAttach(world));
    await start(world, ticket);
    expect(await resume(world, ticket)).toMatchObject({ tag: 'pending' });
    expect((await resumeToEnd(world, ticket)).outcome).toMatchObject({ device: { cdiDeviceId: second?.resUuid } });
  });
});

async function rawGet(world: ReturnType<typeof openCm>): Promise<string> {
  const { sent, host } = world;
  const last = sent.findLast(({ method }) => method === 'GET');
  if (last === undefined) throw new Error('nothing was read yet');
  return (await world.settle(host.http.send(last, new AbortController().signal))).body;
}
