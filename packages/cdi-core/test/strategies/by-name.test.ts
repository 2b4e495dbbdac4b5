import { byName, type DetachRequest, type Ticket } from '@cro/cdi-core';
import { describe, expect, test } from 'vitest';
import { context, device, maker, toyFabric, wanted } from '../support/toy-fabric.ts';

const request = (ids: DetachRequest['device']): DetachRequest => ({
  op: 'detach',
  holder: 'uid-1',
  claimed: [],
  device: ids,
  ...wanted,
});

async function ticketOn(fabric: ReturnType<typeof toyFabric>): Promise<Ticket> {
  const prepared = await byName(maker, fabric).prepare(request({ cdiDeviceId: 'res-a' }), context);
  if (prepared.tag !== 'ticket') throw new Error(`prepare answered ${prepared.tag}`);
  return prepared.ticket;
}

const onMachine = () => toyFabric([device('res-a', { deviceId: 'GPU-a' }), device('res-b', { deviceId: 'GPU-b' })]);

describe('prepare', () => {
  test.each([
    ['both ids', { deviceId: 'GPU-b', cdiDeviceId: 'res-b' }],
    ["the fabric's id alone", { cdiDeviceId: 'res-b' }],
    ["the node's id alone", { deviceId: 'GPU-b' }],
    ["the node's id and an empty one of the fabric", { deviceId: 'GPU-b', cdiDeviceId: '' }],
  ])('finds the device by %s', async (_, ids) => {
    const prepared = await byName(maker, onMachine()).prepare(request(ids), context);
    expect(prepared).toMatchObject({ tag: 'ticket', ticket: { payload: { cdiDeviceId: 'res-b' } } });
  });

  test('a device of which the fabric knows no other id is found by its own', async () => {
    const fabric = toyFabric([device('res-a')]);
    const prepared = await byName(maker, fabric).prepare(request({ deviceId: 'GPU-a', cdiDeviceId: 'res-a' }), context);
    expect(prepared.tag).toBe('ticket');
  });

  test('an id that stands for another device now is a conflict', async () => {
    const ids = { deviceId: 'GPU-old', cdiDeviceId: 'res-a' };
    const prepared = await byName(maker, onMachine()).prepare(request(ids), context);
    expect(prepared).toMatchObject({ tag: 'failed', failure: { kind: 'Conflict' } });
  });

  test('no id at all is a wrong request, not a device that is gone', async () => {
    const prepared = await byName(maker, onMachine()).prepare(request({}), context);
    expect(prepared).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
  });

  test('what is on no machine is gone already; on another machine it is a conflict', async () => {
    const ids = { cdiDeviceId: 'res-x' };
    const nowhere = { ...onMachine(), elsewhere: () => Promise.resolve({ tag: 'nowhere' } as const) };
    expect(await byName(maker, nowhere).prepare(request(ids), context)).toEqual({ tag: 'already' });
    const moved = { ...onMachine(), elsewhere: () => Promise.resolve({ tag: 'machine', machine: 'm-2' } as const) };
    const prepared = await byName(maker, moved).prepare(request(ids), context);
    expect(prepared).toMatchObject({ tag: 'failed', failure: { kind: 'Conflict' } });
    expect(JSON.stringify(prepared)).toContain('m-2');
  });
});

test('two looks that contradict each other are looked at again', async () => {
  const fabric = { ...onMachine(), elsewhere: () => Promise.resolve({ tag: 'machine', machine: 'm-1' } as const) };
  const prepared = await byName(maker, fabric).prepare(request({ cdiDeviceId: 'res-x' }), context);
  expect(prepared).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
});

describe('start', () => {
  test('asks for that device, and tells what came of it', async () => {
    const fabric = onMachine();
    const ticket = await ticketOn(fabric);
    fabric.answer = { tag: 'done', devices: [] };
    expect(await byName(maker, fabric).start(ticket, context)).toEqual({ tag: 'done' });
    expect(fabric.asked).toEqual([{ ...wanted, cdiDeviceId: 'res-a' }]);
    fabric.answer = { tag: 'accepted', retryAfterMs: 9 };
    expect(await byName(maker, fabric).start(ticket, context)).toEqual({ tag: 'pending', retryAfterMs: 9 });
    fabric.answer = { tag: 'refused', failure: { kind: 'Rejected', message: 'no' } };
    expect(await byName(maker, fabric).start(ticket, context)).toEqual(fabric.answer);
  });
});

describe('resume', () => {
  test('still there: unchanged; gone: done; out of view: unchanged', async () => {
    const fabric = onMachine();
    const ticket = await ticketOn(fabric);
    expect((await byName(maker, fabric).resume(ticket, context, [])).tag).toBe('unchanged');
    fabric.devices = [device('res-b')];
    expect(await byName(maker, fabric).resume(ticket, context, [])).toEqual({ tag: 'done' });
    fabric.state = { tag: 'absent', message: 'no such machine' };
    expect((await byName(maker, fabric).resume(ticket, context, [])).tag).toBe('unchanged');
    expect(fabric.asked).toEqual([]);
  });
});
