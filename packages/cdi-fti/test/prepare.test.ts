import { describe, expect, test } from 'vitest';
import { openFabric } from './support/fabric.ts';
import { always, answer, attachRequest, framed, html, prepared, ticketFor } from './support/steps.ts';

describe('prepare', () => {
  const unmarshal = 'failed to unmarshal FM get machine response body into machineData';
  test.each([
    [
      framed(404, 'machine not found'),
      'Rejected',
      "failed to process FM get request. FM returned code: 'E02XXXX', error message: 'machine not found' (HTTP 404)",
    ],
    [
      html(404),
      'Protocol',
      "failed to unmarshal FM get error response body into errBody. Original error: invalid character '<' looking for beginning of value (HTTP 404)",
    ],
    [html(200), 'Protocol', `${unmarshal}: invalid character '<' looking for beginning of value (HTTP 200)`],
    [
      answer(200, { data: { machines: [{ resources: [{ res_uuid: 'a' }] }] } }),
      'Protocol',
      `${unmarshal}: data.machines[0].resources[0].res_type: found nothing, accepted: string (HTTP 200)`,
    ],
    [
      answer(200, { data: { machines: [{ mach_uuid: 'other', resources: [] }] } }),
      'Protocol',
      `${unmarshal}: data.machines[0].mach_uuid: found another machine than the one asked for (HTTP 200)`,
    ],
    [
      answer(404, { error: 'not found' }),
      'Protocol',
      "failed to unmarshal FM get error response body into errBody. Original error: detail: found nothing, accepted: object; error: 'not found' (HTTP 404)",
    ],
    [
      html(503),
      'Busy',
      "failed to unmarshal FM get error response body into errBody. Original error: invalid character '<' looking for beginning of value (HTTP 503)",
    ],
  ])('tells what the GET came to', async (effect, kind, message) => {
    const fabric = openFabric();
    always(fabric, 'get', effect);
    const told = await prepared(fabric, attachRequest(fabric));
    expect(told).toEqual({ tag: 'failed', failure: { kind, message } });
    expect(fabric.sim.calls()).toMatchObject({ attach: 0, detach: 0 });
  });

  test('lists that are null are empty lists', async () => {
    const fabric = openFabric();
    always(fabric, 'get', answer(200, { data: { machines: [{ resources: null }] } }));
    expect((await ticketFor(fabric, attachRequest(fabric))).payload).toMatchObject({ baseline: [] });
  });

  test('a machine id that no URL may hold is never sent', async () => {
    const fabric = openFabric();
    const told = await prepared(fabric, attachRequest(fabric, { machine: '../../../id_manager' }));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
    expect(fabric.sim.calls()).toMatchObject({ get: 0, other: 0 });
  });
});
