import { makeGpus } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { contextOf, MODEL, openFabric, OTHER_MODEL, TENANT, type Fabric } from './support/fabric.ts';
import { always, attachOne, attachRequest, framed, html, resumed, started, ticketFor } from './support/steps.ts';

/** A machine that has a device of another model and one that is no composable device, as every live one. */
function openBusy(): Fabric {
  const fabric = openFabric();
  const machine = fabric.machine;
  const memory = { type: 'mem', model: 'DDR5', serial: '', resUuid: 'mem-0', machine };
  return openFabric({
    devices: [
      ...makeGpus(4, MODEL),
      ...makeGpus(1, OTHER_MODEL, 1).map((spec) => ({ ...spec, serial: '', machine })),
      memory,
    ],
  });
}

describe('an attach', () => {
  test('costs one token, one GET and one PATCH, and answers both ids', async () => {
    const fabric = openBusy();
    const device = await attachOne(fabric);
    const [first] = makeGpus(1, MODEL);
    expect(device).toMatchObject({ deviceId: first?.serial, cdiDeviceId: first?.resUuid, health: { level: 'ok' } });
    expect(fabric.sim.calls()).toMatchObject({ token: 1, get: 1, attach: 1, list: 0, inventory: 0, other: 0 });
  });

  test('sends what the Fabric Manager takes', async () => {
    const fabric = openFabric();
    await attachOne(fabric);
    const condition = [{ column: 'model', operator: 'eq', value: MODEL }];
    const resources = [{ res_specs: [{ res_type: 'gpu', res_spec: { condition }, res_num: 1 }] }];
    expect(fabric.sent.at(-1)).toMatchObject({
      method: 'PATCH',
      url: `https://fm.test/fabric_manager/api/v1/machines/${fabric.machine}/update?tenant_uuid=${TENANT}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tenants: { tenant_uuid: TENANT, machines: [{ mach_uuid: fabric.machine, resources }] } }),
    });
  });

  test('that takes 120 s is waited for; one of 200 s is in doubt, and found afterwards', async () => {
    const patient = openFabric({ attachMs: 120_000 });
    expect(await attachOne(patient)).toBeDefined();
    const slow = openFabric({ attachMs: 200_000 });
    const ticket = await ticketFor(slow, attachRequest(slow));
    expect(await started(slow, ticket)).toEqual({
      tag: 'inDoubt',
      failure: { kind: 'InDoubt', message: 'FM scaleup: no answer within 180 s' },
    });
    expect(await resumed(slow, ticket)).toEqual({ tag: 'unchanged', retryAfterMs: 5_000 });
    await slow.clock.advance(20_000);
    expect(await resumed(slow, ticket)).toMatchObject({ tag: 'done' });
    expect(slow.sim.calls().attach).toBe(1);
  });

  test.each([
    ['0', 'ok', undefined],
    ['0 OK', 'ok', undefined],
    ['1', 'warning', "the target gpu 'ID' is showing a Warning status in FM"],
    ['2 broken', 'critical', "the target gpu 'ID' is showing a Critical status in FM"],
    ['3', 'unknown', "the target gpu 'ID' has unknown status '3' in FM"],
    ['', 'unknown', "the target gpu 'ID' on machine 'M' has empty status in FM"],
  ])('that arrives with status %j is done, with its health', async (opStatus, level, message) => {
    const fabric = openFabric();
    fabric.sim.faults.add({ kind: 'attach', effect: { tag: 'arrive', opStatus } });
    const { health, deviceId = '' } = await attachOne(fabric);
    const told = message?.replace('ID', deviceId).replace("'M'", `'${fabric.machine}'`);
    expect(health).toEqual(told === undefined ? { level } : { level, message: told });
  });

  test('of a device without status or serial number is done: the node will tell which it is', async () => {
    const fabric = openFabric();
    always(fabric, 'attach', { tag: 'omitFields', fields: ['res_op_status', 'res_serial_num'] });
    const device = await attachOne(fabric);
    expect(device.deviceId).toBeUndefined();
    expect(device).toMatchObject({ health: { level: 'unknown' }, hints: { model: MODEL } });
  });

  test('that brings more than was asked for tells the surplus', async () => {
    const fabric = openFabric();
    fabric.sim.faults.add({ kind: 'attach', effect: { tag: 'surplus', count: 2, inReply: true } });
    const outcome = await started(fabric, await ticketFor(fabric, attachRequest(fabric)));
    const [kept, ...rest] = fabric.sim.attachedTo(fabric.machine).map(({ resUuid }) => resUuid);
    expect(outcome).toMatchObject({ tag: 'done', device: { cdiDeviceId: kept } });
    expect(outcome.tag === 'done' && outcome.surplus?.map(({ cdiDeviceId }) => cdiDeviceId)).toEqual(rest);
  });
});

describe('an attach that is refused', () => {
  test.each([
    [
      framed(404, 'scaleup method not found'),
      'Rejected',
      "FM returned code: 'E02XXXX', error message: 'scaleup method not found' (HTTP 404)",
    ],
    [framed(400, { a: 1 }, 'E1'), 'Rejected', `FM returned code: 'E1', error message: '{"a":1}' (HTTP 400)`],
    [framed(409, 'in use'), 'Busy', "FM returned code: 'E02XXXX', error message: 'in use' (HTTP 409)"],
    [framed(403, 'no'), 'Unauthenticated', "FM returned code: 'E02XXXX', error message: 'no' (HTTP 403)"],
  ])('is told with code, message and status', async (effect, kind, text) => {
    const fabric = openFabric();
    always(fabric, 'attach', effect);
    expect(await started(fabric, await ticketFor(fabric, attachRequest(fabric)))).toEqual({
      tag: 'refused',
      failure: { kind, message: `failed to process FM scaleup request. ${text}` },
    });
    expect(fabric.sim.calls().attach).toBe(1);
  });

  test('because the pool is empty is exhausted: the pool itself is asked, as the codes are not documented', async () => {
    const fabric = openFabric({ devices: [] });
    const outcome = await started(fabric, await ticketFor(fabric, attachRequest(fabric)));
    expect(outcome).toMatchObject({ tag: 'refused', failure: { kind: 'Exhausted' } });
    expect(fabric.sim.calls()).toMatchObject({ attach: 1, inventory: 1 });
  });

  test('hostile texts are cleaned and cut', async () => {
    const fabric = openFabric();
    always(fabric, 'attach', framed(400, `\u001b[2J\n${'x'.repeat(10_000)}`, 'E\u202e1'));
    const outcome = await started(fabric, await ticketFor(fabric, attachRequest(fabric)));
    const message = outcome.tag === 'refused' ? outcome.failure.message : '';
    expect(message).toMatch(
      /^failed to process FM scaleup request\. FM returned code: 'E 1', error message: '\[2Jx? ?x+…' \(HTTP 400\)$/,
    );
  });

  test('before the request left is certain to have changed nothing', async () => {
    const fabric = openFabric();
    const ticket = await ticketFor(fabric, attachRequest(fabric));
    const provider = fabric.restart({ endpoint: 'no-such-host.test' });
    expect(await fabric.settle(provider.start(ticket, contextOf(provider, 'mutate')))).toMatchObject({
      tag: 'refused',
      failure: { kind: 'Unreachable' },
    });
  });
});

test.each([
  [401, 'Unauthenticated'],
  [429, 'Busy'],
])('a page with %i says that the request was not looked at', async (status, kind) => {
  const fabric = openFabric();
  always(fabric, 'attach', html(status));
  const outcome = await started(fabric, await ticketFor(fabric, attachRequest(fabric)));
  expect(outcome).toMatchObject({ tag: 'refused', failure: { kind } });
});
