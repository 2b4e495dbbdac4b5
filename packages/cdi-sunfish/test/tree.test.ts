import { describe, expect, test } from 'vitest';
import { makeGpus, makeMachines } from '@cro/fabric-sim';
import { contextOf, MODEL, openRedfish, openSunfish, type AnySim, type Fabric } from './support/fabric.ts';
import { attachedTo, stepsOn } from './support/steps.ts';

const SYSTEMS = '/redfish/v1/Systems';
const BLOCKS = '/redfish/v1/CompositionService/ResourceBlocks';

const listOf = ({ provider, machines, settle }: Fabric<AnySim>) => settle(provider.list(machines, contextOf(provider)));

const refs = (...uris: readonly string[]) => uris.map((uri) => ({ '@odata.id': uri }));

describe('a tree that is not in order', () => {
  test('links to collections that lead astray, and a root that wants its slash, are what Sunfish has', async () => {
    const fabric = openSunfish();
    expect((await stepsOn(fabric).attach()).tag).toBe('done');
    expect(fabric.sent[0]?.url).toBe('https://redfish.test/redfish/v1/');
    expect(await listOf(fabric)).toMatchObject({
      devices: [{ machine: fabric.machine, model: MODEL }],
      unreadable: [],
    });
  });

  test.each([true, false])(
    'members that are not there, and a count that lies, hide nothing (expanded: %s)',
    async (expand) => {
      const fabric = openRedfish({ expand });
      const uris = [...fabric.machines.map((machine) => `${SYSTEMS}/${machine}`), `${SYSTEMS}/gone`];
      const fields = { Members: refs(...uris), 'Members@odata.count': 2_000 };
      fabric.sim.faults.add({ path: SYSTEMS, times: Infinity, effect: { tag: 'setFields', fields } });
      const blocks = { Members: refs(`${BLOCKS}/gone`, ...fabric.sim.snapshot().free.map((id) => `${BLOCKS}/${id}`)) };
      fabric.sim.faults.add({ path: BLOCKS, times: Infinity, effect: { tag: 'setFields', fields: blocks } });
      expect((await stepsOn(fabric).attach()).tag).toBe('done');
      expect(attachedTo(fabric)).toHaveLength(1);
    },
  );

  test('a count without members is an empty collection', async () => {
    const fabric = openRedfish({ expand: false });
    const fields = { 'Members@odata.count': 20, Members: [] };
    fabric.sim.faults.add({ path: BLOCKS, effect: { tag: 'setFields', fields } });
    expect(await stepsOn(fabric).prepare()).toMatchObject({ tag: 'failed', failure: { kind: 'Exhausted' } });
  });

  test('pages are followed, and a page that leads to itself comes to an end', async () => {
    const fabric = openRedfish({ expand: false });
    const [first = '', ...others] = fabric.machines.map((machine) => `${SYSTEMS}/${machine}`);
    const page = { Members: refs(first), 'Members@odata.nextLink': `${SYSTEMS}?$skip=1` };
    fabric.sim.faults.add({ path: SYSTEMS, effect: { tag: 'setFields', fields: page } });
    const next = { Members: refs(...others), 'Members@odata.nextLink': `${SYSTEMS}?$skip=1` };
    fabric.sim.faults.add({ path: SYSTEMS, nth: 2, times: Infinity, effect: { tag: 'setFields', fields: next } });
    const locate = (name: string, systemUuid: string) =>
      fabric.settle(fabric.provider.locate({ name, annotations: {}, systemUuid }, contextOf(fabric.provider)));
    const last = fabric.machines.at(-1) ?? '';
    expect(await locate('n', last)).toEqual({ tag: 'machine', machine: last });
    expect(fabric.sent.filter(({ url }) => url.includes('skip'))).toHaveLength(1);
  });

  test('an error that is a page is told by its status, and not quoted', async () => {
    const fabric = openRedfish();
    const effect = { tag: 'answer', status: 500, body: { html: '<html><script>secret()</script></html>' } } as const;
    fabric.sim.faults.add({ path: '/redfish/v1/', times: Infinity, effect });
    expect(await stepsOn(fabric).prepare()).toEqual({
      tag: 'failed',
      failure: { kind: 'Unreachable', message: 'Redfish GET /redfish/v1/: HTTP 500' },
    });
  });

  test('an answer that is no resource is told by the path that is wrong', async () => {
    const fabric = openRedfish();
    const effect = {
      tag: 'answer',
      status: 200,
      body: { json: { '@odata.id': '/redfish/v1/', Systems: 'here' } },
    } as const;
    fabric.sim.faults.add({ path: '/redfish/v1/', effect });
    expect(await stepsOn(fabric).prepare()).toMatchObject({
      tag: 'failed',
      failure: { kind: 'Protocol', message: expect.stringContaining('Systems') as string },
    });
  });
});

describe('a large service', () => {
  const devices = makeGpus(10_000, MODEL);
  const machines = makeMachines(200);

  test('costs one call for all systems with their blocks where it expands, once it is known', async () => {
    const fabric = openRedfish({ devices, machines });
    for (const [n, { resUuid }] of devices.entries()) if (n < 2_000) fabric.sim.move(resUuid, fabric.machines[n % 200]);
    const listed = await listOf(fabric);
    expect(listed.devices).toHaveLength(2_000);
    expect(listed.unreadable).toEqual([]);
    const paths = fabric.sent.map(({ url }) => new URL(url).pathname);
    // What the service is like, the systems, and what is in blocks that were not seen before.
    expect(paths).toEqual(['/redfish/v1/', '/redfish/v1/CompositionService', SYSTEMS, BLOCKS]);
    expect((await listOf(fabric)).devices).toHaveLength(2_000);
    expect(fabric.sent).toHaveLength(5);
  });

  test('is read with at most eight calls at a time where it does not', async () => {
    const fabric = openRedfish({ devices: devices.slice(0, 400), machines: machines.slice(0, 50), expand: false });
    for (const [n, { resUuid }] of devices.slice(0, 400).entries()) fabric.sim.move(resUuid, fabric.machines[n % 50]);
    let running = 0;
    let most = 0;
    const way = fabric.restartOver({
      send: async (request, signal) => {
        running += 1;
        most = Math.max(most, running);
        try {
          return await fabric.http.send(request, signal);
        } finally {
          running -= 1;
        }
      },
    });
    const listed = await listOf({ ...fabric, provider: way });
    expect(listed.devices).toHaveLength(400);
    // Eight systems, and eight blocks of each.
    expect(most).toBeLessThanOrEqual(64);
  });
});

describe('what identifies a GPU on its node', () => {
  test('is its UUID, unless it has none or one of zeros, and its serial number', async () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    for (const [fields, hints] of [
      [
        { UUID: nil, SerialNumber: 'S1' },
        { serialNumber: 'S1', model: MODEL },
      ],
      [{ UUID: 'AAAAAAAA-0000-4000-8000-00000000000F' }, { uuid: 'aaaaaaaa-0000-4000-8000-00000000000f' }],
    ] as const) {
      const fabric = openRedfish({ expand: false });
      const [id = ''] = fabric.sim.snapshot().free;
      const path = `${BLOCKS}/${id}/Processors/GPU`;
      fabric.sim.faults.add({ path, times: Infinity, effect: { tag: 'setFields', fields } });
      const done = await stepsOn(fabric).attach();
      expect(done).toMatchObject({ tag: 'done', device: { cdiDeviceId: id, hints } });
      if (fields.UUID === nil) expect(JSON.stringify(done)).not.toContain(nil);
    }
  });
});
