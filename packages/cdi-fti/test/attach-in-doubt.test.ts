import { makeGpus } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { MODEL, openFabric } from './support/fabric.ts';
import {
  always,
  answer,
  attachOne,
  attachRequest,
  framed,
  html,
  resumed,
  started,
  ticketFor,
} from './support/steps.ts';

describe('an attach in doubt', () => {
  const texts = {
    errBody:
      "failed to unmarshal FM scaleup error response body into errBody. Original error: invalid character '<' looking for beginning of value",
    reply:
      "failed to unmarshal FM scaleup response body into scaleUpResponse. Original error: invalid character '<' looking for beginning of value",
  };
  test.each([
    ['a page of something in between', html(404), 'Protocol', `${texts.errBody} (HTTP 404)`],
    ['a page with a success', html(200), 'Protocol', `${texts.reply} (HTTP 200)`],
    ['a page of a broken gateway', html(502), 'InDoubt', `${texts.errBody} (HTTP 502)`],
    [
      'a broken server',
      framed(500, 'oops'),
      'InDoubt',
      "failed to process FM scaleup request. FM returned code: 'E02XXXX', error message: 'oops' (HTTP 500)",
    ],
    [
      'a success without devices',
      answer(200, { data: { machines: [{ resources: null }] } }),
      'Protocol',
      'can not find the added gpu when using FM to add gpu',
    ],
    [
      'a success without machines',
      answer(200, { data: { machines: [] } }),
      'Protocol',
      'can not find the added gpu when using FM to add gpu',
    ],
    [
      'a success about another machine',
      answer(200, { data: { machines: [{ mach_uuid: 'other', resources: [] }] } }),
      'Protocol',
      'failed to unmarshal FM scaleup response body into scaleUpResponse. Original error: data.machines[0].mach_uuid: found another machine than the one asked for (HTTP 200)',
    ],
    [
      'a success without data',
      answer(200, {}),
      'Protocol',
      'failed to unmarshal FM scaleup response body into scaleUpResponse. Original error: data: found nothing, accepted: object (HTTP 200)',
    ],
    [
      'a lost answer',
      { tag: 'loseReply', when: 'beforeChange' } as const,
      'InDoubt',
      'FM scaleup: the connection to https://fm.test broke before there was an answer',
    ],
  ])('by %s says what came, and nothing is asked again', async (_, effect, kind, message) => {
    const fabric = openFabric();
    always(fabric, 'attach', effect);
    const ticket = await ticketFor(fabric, attachRequest(fabric));
    expect(await started(fabric, ticket)).toEqual({ tag: 'inDoubt', failure: { kind, message } });
    expect(await resumed(fabric, ticket)).toEqual({ tag: 'unchanged', retryAfterMs: 5_000 });
    expect(fabric.sim.calls().attach).toBe(1);
  });

  test('is found by what is new: neither the baseline nor what others hold', async () => {
    const fabric = openFabric();
    const mine = await attachOne(fabric);
    const ticket = await ticketFor(fabric, attachRequest(fabric, { claimed: [mine.cdiDeviceId] }));
    const [, foreign, lost] = makeGpus(3, MODEL);
    fabric.sim.move(foreign?.resUuid ?? '', fabric.machine);
    expect(await resumed(fabric, ticket, [foreign?.resUuid ?? ''])).toMatchObject({ tag: 'unchanged' });
    fabric.sim.move(lost?.resUuid ?? '', fabric.machine);
    expect(await resumed(fabric, ticket, [foreign?.resUuid ?? ''])).toMatchObject({
      tag: 'done',
      device: { cdiDeviceId: lost?.resUuid },
    });
  });

  test('stays in doubt while the machine cannot be read, or answers nonsense', async () => {
    const fabric = openFabric();
    const ticket = await ticketFor(fabric, attachRequest(fabric));
    fabric.sim.faults.add({ kind: 'get', effect: answer(200, { data: { machines: [] } }) });
    expect(await resumed(fabric, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'InDoubt' } });
    fabric.sim.faults.add({ kind: 'get', effect: answer(200, { data: { machines: [{ resources: [{}] }] } }) });
    expect(await resumed(fabric, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Protocol' } });
    always(fabric, 'get', { tag: 'loseReply', when: 'beforeChange' });
    expect(await resumed(fabric, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Unreachable' } });
  });
});
