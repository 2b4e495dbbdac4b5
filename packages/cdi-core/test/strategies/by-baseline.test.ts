import { byBaseline, type AttachRequest, type ListedDevice, type Ticket } from '@cro/cdi-core';
import { MAX_TICKET_BYTES } from '@cro/crd-types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { context, device, maker, toyFabric, wanted } from '../support/toy-fabric.ts';

const request: AttachRequest = { op: 'attach', holder: 'uid-1', claimed: [], ...wanted };

async function ticketOn(fabric: ReturnType<typeof toyFabric>, claimed: readonly string[] = []): Promise<Ticket> {
  const prepared = await byBaseline(maker, fabric).prepare({ ...request, claimed }, context);
  if (prepared.tag !== 'ticket') throw new Error(`prepare answered ${prepared.tag}`);
  return prepared.ticket;
}

describe('prepare', () => {
  test('keeps the devices of that type and model, and no others', async () => {
    const others = [device('b', { model: 'H100' }), device('c', { type: 'cxlmemory' })];
    const ticket = await ticketOn(toyFabric([device('a'), ...others]), ['a']);
    expect(ticket.payload).toEqual({ strategy: 'baseline', type: 'gpu', model: 'A100', baseline: ['a'] });
  });

  test('a machine that the fabric does not know is a wrong request', async () => {
    const fabric = toyFabric();
    fabric.state = { tag: 'absent', message: 'no such machine' };
    expect(await byBaseline(maker, fabric).prepare(request, context)).toEqual({
      tag: 'failed',
      failure: { kind: 'Rejected', message: 'no such machine' },
    });
  });

  test('a ticket that would not fit into an object is not made', async () => {
    const many = Array.from({ length: MAX_TICKET_BYTES / 30 }, (_, index) => device(`${index}`.padStart(36, '0')));
    const prepared = await byBaseline(maker, toyFabric(many)).prepare(request, context);
    expect(prepared).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
  });
});

describe('start', () => {
  test('takes the first new device that the answer names, and tells the rest as surplus', async () => {
    const fabric = toyFabric([device('a')]);
    const ticket = await ticketOn(fabric);
    fabric.answer = { tag: 'done', devices: [device('a'), device('x', { model: 'H100' }), device('c'), device('b')] };
    expect(await byBaseline(maker, fabric).start(ticket, context)).toEqual({
      tag: 'done',
      device: device('c'),
      surplus: [device('b')],
    });
    expect(fabric.asked).toEqual([wanted]);
  });

  test('a device that the answer names twice is not its own surplus', async () => {
    const fabric = toyFabric();
    const ticket = await ticketOn(fabric);
    fabric.answer = { tag: 'done', devices: [device('c'), device('c')] };
    expect(await byBaseline(maker, fabric).start(ticket, context)).toEqual({ tag: 'done', device: device('c') });
  });

  test.each([
    ['somebody has it', ['a'], [device('a')]],
    ['it is one of several', [], [device('a'), device('b')]],
    ['it is of another model', [], [device('c', { model: 'H100' })]],
    ['it names none', [], []],
  ])('an answer without a new device is in doubt: %s', async (_, claimed, devices) => {
    const fabric = toyFabric([device('a'), device('b'), device('c', { model: 'H100' })]);
    const ticket = await ticketOn(fabric, claimed);
    fabric.answer = { tag: 'done', devices };
    expect(await byBaseline(maker, fabric).start(ticket, context)).toMatchObject({
      tag: 'inDoubt',
      failure: { kind: 'Protocol' },
    });
  });

  test('a device that stood there before is taken where the answer names it alone and nobody had it', async () => {
    const fabric = toyFabric([device('a'), device('b')]);
    const ticket = await ticketOn(fabric, ['b']);
    fabric.answer = { tag: 'done', devices: [device('a')] };
    expect(await byBaseline(maker, fabric).start(ticket, context)).toEqual({ tag: 'done', device: device('a') });
  });

  test('an answer that only accepts is pending', async () => {
    const fabric = toyFabric();
    const ticket = await ticketOn(fabric);
    fabric.answer = { tag: 'accepted', retryAfterMs: 700 };
    expect(await byBaseline(maker, fabric).start(ticket, context)).toEqual({ tag: 'pending', retryAfterMs: 700 });
  });
});

describe('resume', () => {
  test('nothing new: unchanged', async () => {
    const fabric = toyFabric([device('a')]);
    const ticket = await ticketOn(fabric);
    expect(await byBaseline(maker, fabric).resume(ticket, context, [])).toEqual({
      tag: 'unchanged',
      retryAfterMs: 5_000,
    });
  });

  test('of several new ones a healthy one is kept', async () => {
    const fabric = toyFabric();
    const ticket = await ticketOn(fabric);
    const sick = device('a', { health: { level: 'critical', message: 'hot' } });
    fabric.devices = [sick, device('c'), device('b')];
    expect(await byBaseline(maker, fabric).resume(ticket, context, [])).toEqual({
      tag: 'done',
      device: device('b'),
      surplus: [device('c'), sick],
    });
  });

  test('a machine that cannot be read, or is gone from view, leaves it in doubt', async () => {
    const fabric = toyFabric();
    const ticket = await ticketOn(fabric);
    fabric.state = { tag: 'absent', message: 'no such machine' };
    expect((await byBaseline(maker, fabric).resume(ticket, context, [])).tag).toBe('inDoubt');
    fabric.state = { tag: 'failed', failure: { kind: 'Unreachable', message: 'no answer' } };
    expect(await byBaseline(maker, fabric).resume(ticket, context, [])).toMatchObject({
      tag: 'inDoubt',
      failure: { kind: 'Unreachable' },
    });
  });

  test('never a device of the baseline, of others, or of another model; and the same one at each look', async () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    const models = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.constantFrom('A100', 'H100'));
    await fc.assert(
      fc.asyncProperty(ids, ids, ids, models, async (before, after, claimed, modelOf) => {
        const make = (id: string): ListedDevice => device(id, { model: modelOf[id] ?? 'A100' });
        const fabric = toyFabric(before.map(make));
        const ticket = await ticketOn(fabric);
        fabric.devices = after.map(make);
        const first = await byBaseline(maker, fabric).resume(ticket, context, claimed);
        const ours = after.filter((id) => make(id).model === 'A100' && !before.includes(id) && !claimed.includes(id));
        const taken =
          first.tag === 'done' ? [first.device, ...(first.surplus ?? [])].map((found) => found?.cdiDeviceId) : [];
        expect([...taken].sort()).toEqual([...ours].sort());
        fabric.devices = after.map(make).reverse();
        expect(await byBaseline(maker, fabric).resume(ticket, context, claimed)).toEqual(first);
      }),
    );
  });
});
