import { describe, expect, it } from 'vitest';
import { sliceName, type ApiRequest } from '@cro/node-sim';
import { status } from './memory-api.ts';
import { at, makeWorld } from './world.ts';

const SLICE = `/apis/resource.k8s.io/v1/resourceslices/${sliceName('worker-0')}`;

describe('an API server that fails', () => {
  it('for a while is asked again, with each failure reported', async () => {
    const { clock, machines, devices, fabric, nodes, api, uuids, problems } = makeWorld();
    await nodes.start();
    const put = (request: ApiRequest) => request.method === 'PUT';
    api.answers.push((request) => (put(request) ? status(500) : undefined));
    api.answers.push((request) => (request.method === 'GET' ? new Error('socket hang up') : undefined));
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await clock.advance(1_000);
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial]);
    expect(problems.map(({ failures, final }) => ({ failures, final }))).toEqual([
      { failures: 1, final: false },
      { failures: 2, final: false },
    ]);
    expect(problems[0]?.message).toContain(`PUT ${SLICE} was answered 500`);
    expect(problems[1]?.message).toBe(`GET ${SLICE} got no answer: socket hang up`);
  });

  it('that lost the answer to a write is read before it is written again', async () => {
    const { clock, machines, devices, fabric, nodes, api, slice, uuids } = makeWorld();
    await nodes.start();
    api.answers.push((request) => {
      if (request.method !== 'PUT') return undefined;
      api.apply(request);
      return new Error('socket hang up');
    });
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await clock.advance(1_000);
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial]);
    expect(slice('worker-0').spec.pool.generation).toBe(3);
  });

  it('whose slice was changed or removed by somebody else is put right', async () => {
    const { machines, devices, fabric, nodes, api, uuids, problems } = makeWorld();
    await nodes.start();
    const found = api.read<{ metadata: { resourceVersion: string } }>(SLICE);
    api.apply({ method: 'PUT', path: SLICE, body: JSON.stringify(found) });
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    api.objects.delete(SLICE);
    fabric.move(at(devices, 1).resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial, at(devices, 1).serial]);
    expect(problems).toEqual([]);
  });

  it('that answers nonsense is named by the field that is missing', async () => {
    const { clock, machines, devices, fabric, nodes, api, uuids, problems } = makeWorld();
    await nodes.start();
    const bodies = ['{"metadata":{"resourceVersion":"7"},"spec":{"pool":{}}}', '[]', '<html>'];
    for (const body of bodies) {
      api.answers.push((request) => (request.method === 'POST' ? undefined : { status: 200, body }));
    }
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await clock.advance(1_000);
    expect(problems.map((problem) => problem.message)).toEqual([
      "the API server's answer at /spec/pool must have required properties generation",
      "the API server's answer must be object",
      expect.stringMatching(/^the API server's answer is not JSON: /),
    ]);
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial]);
  });

  it.each([401, 408, 409, 429, 500])('that answers %i may come to its senses, and is asked again', async (code) => {
    const { clock, nodes, api, problems } = makeWorld();
    await nodes.start();
    api.answers.push((request) => (request.method === 'PATCH' ? status(code) : undefined));
    const set = nodes.setReady('worker-0', false);
    await clock.advance(50);
    await set;
    expect(problems).toMatchObject([{ doing: 'set Node worker-0 not ready', final: false }]);
  });

  it('that refuses a node fails the start, in words that name it', async () => {
    const { nodes, api, problems } = makeWorld();
    api.answers.push((request) => (request.path === '/api/v1/nodes' ? status(403) : undefined));
    await expect(nodes.start()).rejects.toThrow(/^create Node worker-0: POST \/api\/v1\/nodes was answered 403/);
    expect(problems).toMatchObject([{ doing: 'create Node worker-0', final: true }]);
  });

  it('that has the node already gives it over, unless it is on another machine', async () => {
    const first = makeWorld();
    await first.nodes.start();
    const again = makeWorld({ api: first.api });
    await again.nodes.start();
    expect(again.problems).toEqual([]);
    const { machUuid } = at(first.machines, 0);
    const other = makeWorld({ api: first.api, nodes: [{ name: 'worker-1', machUuid }] });
    await expect(other.nodes.start()).rejects.toThrow(
      /spec\.providerID is "fsas-cdi:.*1", it has to be "fsas-cdi:.*0"/,
    );
  });

  it('that always conflicts is asked with pauses, and no more after the end', async () => {
    const { clock, machines, devices, fabric, nodes, api, problems } = makeWorld();
    await nodes.start();
    const conflict = (request: ApiRequest) => {
      if (request.method !== 'PUT') return undefined;
      api.answers.push(conflict);
      return status(409);
    };
    api.answers.push(conflict);
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await clock.advance(10_000);
    expect(problems.at(-1)?.message).toBe('somebody else keeps writing the same object');
    expect(api.requests.length).toBeLessThan(100);
    nodes.stop();
    await nodes.settled();
    const before = api.requests.length;
    await clock.advance(60_000);
    expect(api.requests.length).toBe(before);
    expect(clock.pending).toBe(0);
  });
});
