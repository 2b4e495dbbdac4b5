import { describe, expect, test } from 'vitest';
import { contextOf, MEMORY_MODEL, openSunfish } from './support/fabric.ts';
import { attachedTo, sentWith, stepsOn, ticketOf } from './support/steps.ts';

const memoryModels = { [MEMORY_MODEL]: { sizeMiB: 2048 } };

describe('a ghost: the agent has deleted the connection, and the server falls over its answer', () => {
  async function withGhost() {
    const fabric = openSunfish({ composeBy: 'connections', aliases: 'own' });
    const steps = stepsOn(fabric);
    expect((await steps.attach()).tag).toBe('done');
    const [device] = attachedTo(fabric);
    const { provider, machine, settle } = fabric;
    const request = { op: 'detach', holder: 'r', type: 'gpu', model: '', machine, claimed: [] } as const;
    const prepared = await settle(
      provider.prepare({ ...request, device: { cdiDeviceId: device ?? '' } }, contextOf(provider)),
    );
    return { fabric, steps, ticket: ticketOf(prepared) };
  }

  test('is asked for twice and then reported, with what a person has to do', async () => {
    const { fabric, steps, ticket } = await withGhost();
    expect(await steps.start(ticket)).toMatchObject({
      tag: 'inDoubt',
      failure: {
        kind: 'Blocked',
        message: expect.stringMatching(/ghost.*Take it out of the manager by hand/) as string,
      },
    });
    expect(sentWith(fabric, 'DELETE')).toHaveLength(2);
    expect(attachedTo(fabric)).toEqual([]);
  });

  test('makes no fast loop, and goes on by itself when it has been cleaned away', async () => {
    const { fabric, steps, ticket } = await withGhost();
    await steps.start(ticket);
    for (let look = 0; look < 5; look += 1) expect((await steps.resume(ticket)).tag).not.toBe('done');
    expect(sentWith(fabric, 'DELETE')).toHaveLength(2);
    fabric.sim.resync();
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'done' });
  });
});

describe('an agent that is down', () => {
  test.each([
    ['a block', {}, 'gpu', undefined],
    ['a connection', { composeBy: 'connections' }, 'gpu', undefined],
    ['memory', {}, 'cxlmemory', MEMORY_MODEL],
  ] as const)('attaches nothing, and nothing half: %s', async (_, options, type, model) => {
    const fabric = openSunfish(options, { memoryModels });
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket({ type, ...(model === undefined ? {} : { model }) });
    fabric.sim.setAgentUp(false);
    const started = await steps.start(ticket);
    // 500 with a page: not proof of anything, so only reads follow.
    expect(started).toMatchObject({
      tag: 'inDoubt',
      failure: { message: expect.stringContaining('HTTP 500') as string },
    });
    expect(JSON.stringify(started)).not.toContain('<');
    expect(await steps.resume(ticket)).toMatchObject({ tag: 'unchanged' });
    expect(attachedTo(fabric)).toEqual([]);
    expect(fabric.sim.memory.chunksOf('1')).toEqual([]);
    fabric.sim.setAgentUp(true);
    const again = model === undefined ? { type } : { type, model };
    expect((await steps.attach(again)).tag).toBe('done');
  });

  test('is no hindrance to reads', async () => {
    const fabric = openSunfish();
    await stepsOn(fabric).attach();
    fabric.sim.setAgentUp(false);
    const { provider, machine, settle } = fabric;
    expect(await settle(provider.list([machine], contextOf(provider)))).toMatchObject({
      devices: [{}],
      unreadable: [],
    });
  });
});
