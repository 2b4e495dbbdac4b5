import { describe, expect, test } from 'vitest';
import { contextOf, MEMORY_MODEL, openRedfish, openSunfish, type AnySim, type Fabric } from './support/fabric.ts';
import { attachedTo, sentWith, stepsOn } from './support/steps.ts';

const CHUNKS = '/redfish/v1/Chassis/Pool/MemoryDomains/1/MemoryChunks';
const CONNECTIONS = '/redfish/v1/Fabrics/CXL/Connections';
const memoryModels = { [MEMORY_MODEL]: { sizeMiB: 2000 }, 'cxl-16g': { sizeMiB: 16_384 } };
const memory = { type: 'cxlmemory', model: MEMORY_MODEL } as const;

const services: readonly (readonly [string, () => Fabric<AnySim>])[] = [
  ['Redfish', () => openRedfish({}, { memoryModels })],
  ['Sunfish', () => openSunfish({}, { memoryModels })],
];

describe.each(services)('CXL memory of %s', (_, open) => {
  test('is a chunk of a size that the domain allows, and a connection that brings it; both go back', async () => {
    const fabric = open();
    const steps = stepsOn(fabric);
    const done = await steps.attach(memory);
    const [name = ''] = attachedTo(fabric);
    expect(done).toMatchObject({ tag: 'done', device: { cdiDeviceId: name, hints: { memoryMiB: '2048' } } });
    // At least what was asked for, in steps of 512 MiB.
    expect(fabric.sim.memory.chunksOf('1')).toMatchObject([{ id: name, sizeMiB: 2048 }]);
    expect(sentWith(fabric, 'POST').map(({ path }) => path)).toEqual([CHUNKS, CONNECTIONS]);
    expect(await steps.detach(name, 'cxlmemory')).toMatchObject({ tag: 'done' });
    expect(sentWith(fabric, 'DELETE').map(({ path }) => path)).toEqual([`${CONNECTIONS}/${name}`, `${CHUNKS}/${name}`]);
    expect(fabric.sim.memory.chunksOf('1')).toEqual([]);
  });

  test('is given back where the connection is refused for good', async () => {
    const fabric = open();
    const effect = { tag: 'answer', status: 400, body: { html: '<html>no</html>' } } as const;
    fabric.sim.faults.add({ path: CONNECTIONS, kind: 'attach', effect });
    expect(await stepsOn(fabric).attach(memory)).toMatchObject({ tag: 'refused', failure: { kind: 'Rejected' } });
    expect(fabric.sim.memory.chunksOf('1')).toEqual([]);
    expect(attachedTo(fabric)).toEqual([]);
  });

  test.each(['chunk', 'connection'] as const)(
    'whose %s was asked for when the process died is found by its name',
    async (last) => {
      const fabric = open();
      const steps = stepsOn(fabric);
      const ticket = await steps.ticket(memory);
      const path = last === 'chunk' ? CHUNKS : CONNECTIONS;
      fabric.sim.faults.add({ path, kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } });
      expect((await steps.start(ticket)).tag).toBe('inDoubt');
      const after = stepsOn(fabric, fabric.restart());
      expect(await after.resume(ticket)).toMatchObject({ tag: 'done' });
      expect(attachedTo(fabric)).toHaveLength(1);
      expect(fabric.sim.memory.chunksOf('1')).toHaveLength(1);
      expect(sentWith(fabric, 'POST').filter(({ path: one }) => one === CHUNKS)).toHaveLength(1);
    },
  );

  test('that another ticket has chosen is not chosen again, whoever made that ticket', async () => {
    const fabric = open();
    const ticket = await stepsOn(fabric).ticket(memory);
    // Another process: all that it knows of the first choice is what the ticket claims.
    const other = stepsOn(fabric, fabric.restart());
    const claims = ticket.payload['claims'];
    if (!Array.isArray(claims)) throw new Error('the ticket claims nothing');
    const claimed = claims.map(String);
    const [machine] = fabric.machines.slice(1);
    const second = await other.ticket({ ...memory, holder: 's', claimed, ...(machine && { machine }) });
    const target = (one: typeof ticket) => Reflect.get(Object(one.payload['notes']), 'target') as unknown;
    expect(target(second)).not.toBe(target(ticket));
    // All of the domain but what the ticket claims would be too little.
    const all = { ...memory, model: 'cxl-16g', holder: 't' };
    expect(await stepsOn(fabric, fabric.restart()).prepare({ ...all, claimed })).toMatchObject({
      tag: 'failed',
      failure: { kind: 'Exhausted' },
    });
    expect((await stepsOn(fabric, fabric.restart()).prepare(all)).tag).toBe('ticket');
  });

  test('that is cut already counts once, and claims of long ago do not matter', async () => {
    const fabric = open();
    const steps = stepsOn(fabric);
    const ticket = await steps.ticket(memory);
    expect((await steps.start(ticket)).tag).toBe('done');
    const claimed = (ticket.payload['claims'] as readonly string[]).concat('nonsense');
    const { provider, machine, settle } = fabric;
    const free = await settle(
      provider.inventory({ type: 'cxlmemory', model: MEMORY_MODEL, machine }, contextOf(provider)),
    );
    expect(free).toEqual({ tag: 'free', count: 7 });
    const more = async () => (await steps.attach({ ...memory, holder: `h${fabric.sent.length}`, claimed })).tag;
    for (let left = 7; left > 0; left -= 1) expect(await more()).toBe('done');
    expect(await steps.prepare({ ...memory, holder: 'last', claimed })).toMatchObject({
      tag: 'failed',
      failure: { kind: 'Exhausted' },
    });
  });
});

test('a model that the configuration does not name is refused, with those that it does', async () => {
  const outcome = await stepsOn(openRedfish({}, { memoryModels })).prepare({ ...memory, model: 'cxl-1t' });
  expect(outcome).toEqual({
    tag: 'failed',
    failure: {
      kind: 'Rejected',
      message: `model 'cxl-1t' of type cxlmemory is not in the configuration: there are: ${MEMORY_MODEL}, cxl-16g`,
    },
  });
});
