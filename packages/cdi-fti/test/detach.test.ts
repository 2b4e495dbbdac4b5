import { makeGpus, type Effect, type FaultBody } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { openFabric, TENANT } from './support/fabric.ts';
import {
  always,
  answer,
  attachOne,
  detachRequest,
  framed,
  html,
  HTML,
  prepared,
  resumed,
  started,
  ticketFor,
} from './support/steps.ts';

const afterwards = (body: FaultBody): Effect => ({ tag: 'answer', status: 200, body, when: 'afterChange' });

describe('a detach', () => {
  test.each([200, 204] as const)('answered with %i is done, and the pool whole', async (detachStatus) => {
    const fabric = openFabric({ detachStatus });
    const device = await attachOne(fabric);
    expect(await started(fabric, await ticketFor(fabric, detachRequest(fabric, device)))).toEqual({ tag: 'done' });
    fabric.sim.assertPoolWhole();
    expect(fabric.sim.calls()).toMatchObject({ token: 1, get: 2, attach: 1, detach: 1, list: 0, inventory: 0 });
  });

  test('sends what the Fabric Manager takes', async () => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    await started(fabric, await ticketFor(fabric, detachRequest(fabric, device)));
    const resources = [{ res_specs: [{ res_type: 'gpu', res_uuid: device.cdiDeviceId, res_num: 1 }] }];
    expect(fabric.sent.at(-1)).toMatchObject({
      method: 'DELETE',
      url: `https://fm.test/fabric_manager/api/v1/machines/${fabric.machine}/update?tenant_uuid=${TENANT}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tenants: { tenant_uuid: TENANT, machines: [{ mach_uuid: fabric.machine, resources }] } }),
    });
  });

  test("by the node's id alone names the fabric's id to the fabric", async () => {
    const fabric = openFabric();
    const { deviceId = '', cdiDeviceId } = await attachOne(fabric);
    const ticket = await ticketFor(fabric, detachRequest(fabric, { deviceId }));
    expect(ticket.payload).toMatchObject({ cdiDeviceId });
    expect(await started(fabric, ticket)).toEqual({ tag: 'done' });
    fabric.sim.assertPoolWhole();
  });

  test.each([afterwards({ html: HTML }), afterwards({ json: [] })])(
    'answered with 200 and any body is done',
    async (effect) => {
      const fabric = openFabric();
      const device = await attachOne(fabric);
      fabric.sim.faults.add({ kind: 'detach', effect });
      expect(await started(fabric, await ticketFor(fabric, detachRequest(fabric, device)))).toEqual({ tag: 'done' });
    },
  );

  test.each([
    [
      'framed',
      framed(404, 'scaledown method not found'),
      'refused',
      'Rejected',
      "failed to process FM scaledown request. FM returned code: 'E02XXXX', error message: 'scaledown method not found' (HTTP 404)",
    ],
    [
      'HTML',
      html(404),
      'inDoubt',
      'Protocol',
      "failed to unmarshal scaledown error response body into errBody. Original error: invalid character '<' looking for beginning of value (HTTP 404)",
    ],
  ])('answered with a %s 404 leaves the device there', async (_, effect, tag, kind, message) => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    always(fabric, 'detach', effect);
    const ticket = await ticketFor(fabric, detachRequest(fabric, device));
    expect(await started(fabric, ticket)).toEqual({ tag, failure: { kind, message } });
    expect(await resumed(fabric, ticket)).toEqual({ tag: 'unchanged', retryAfterMs: 5_000 });
    expect(fabric.sim.attachedTo(fabric.machine)).toHaveLength(1);
  });

  test('answered with 202 is a promise, and in doubt', async () => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    always(fabric, 'detach', answer(202, {}));
    expect(await started(fabric, await ticketFor(fabric, detachRequest(fabric, device)))).toMatchObject({
      tag: 'inDoubt',
      failure: { kind: 'Protocol' },
    });
  });

  test('whose answer is lost is found done, with one call', async () => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    fabric.sim.faults.add({ kind: 'detach', effect: { tag: 'loseReply', when: 'afterChange' } });
    const ticket = await ticketFor(fabric, detachRequest(fabric, device));
    expect(await started(fabric, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'InDoubt' } });
    expect(await resumed(fabric, ticket)).toEqual({ tag: 'done' });
    expect(fabric.sim.calls().detach).toBe(1);
  });
});

describe('prepare of a detach', () => {
  test('a device that is gone costs a second look at every machine, and no change', async () => {
    const fabric = openFabric();
    const [gone] = makeGpus(1, 'x');
    expect(await prepared(fabric, detachRequest(fabric, { cdiDeviceId: gone?.resUuid ?? '' }))).toEqual({
      tag: 'already',
    });
    expect(fabric.sim.calls()).toMatchObject({ get: 1, list: 1, detach: 0 });
  });

  test('no machine at all in the answer is no proof that the device is gone', async () => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    always(fabric, 'get', answer(200, { data: { machines: [] } }));
    const told = await prepared(fabric, detachRequest(fabric, device));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
  });

  test('a device on another machine is left alone', async () => {
    const fabric = openFabric();
    const device = await attachOne(fabric);
    fabric.sim.move(device.cdiDeviceId, fabric.machines[1]);
    const message = `device '${device.cdiDeviceId}' is on machine '${fabric.machines[1]}' now and not on '${fabric.machine}': it is left alone`;
    expect(await prepared(fabric, detachRequest(fabric, device))).toEqual({
      tag: 'failed',
      failure: { kind: 'Conflict', message },
    });
  });

  test('a list of machines that cannot be read is not taken for an empty one', async () => {
    const fabric = openFabric();
    always(fabric, 'list', html(500));
    const told = await prepared(fabric, detachRequest(fabric, { cdiDeviceId: 'gone' }));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Unreachable' } });
  });

  test('a Fabric Manager without that list cannot tell more', async () => {
    const fabric = openFabric();
    always(fabric, 'list', html(404));
    expect(await prepared(fabric, detachRequest(fabric, { cdiDeviceId: 'gone' }))).toEqual({ tag: 'already' });
  });
});
