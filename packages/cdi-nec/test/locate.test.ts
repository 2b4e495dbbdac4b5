import { describe, expect, test } from 'vitest';
import { NODE_ANNOTATION, type NecConfig } from '@cro/cdi-nec';
import { makeMachines } from '@cro/fabric-sim';
import { contextOf, openCdim, type World } from './support/cdim.ts';

interface Node {
  readonly name?: string;
  readonly providerId?: string;
  readonly annotations?: Record<string, string>;
}

const locate = (world: World, { name = 'worker-0', providerId, annotations = {} }: Node) =>
  world.settle(
    world.provider.locate(
      { name, annotations, ...(providerId === undefined ? {} : { providerId }) },
      contextOf(world.provider),
    ),
  );
const open = (config: Partial<NecConfig> = {}) => openCdim({}, config);
const id = makeMachines(1)[0]?.machUuid ?? '';

describe('the CDIM node of a Kubernetes node', () => {
  test.each<[string, Node, Partial<NecConfig>]>([
    ['its annotation', { annotations: { [NODE_ANNOTATION]: id }, providerId: 'aws:///zone/i-1' }, {}],
    ['its providerID', { providerId: id.toUpperCase() }, {}],
    ['the end of its providerID', { providerId: `cdim:///zone/${id}` }, {}],
    ['the configuration', { providerId: 'kind://docker/kind/worker-0' }, { nodes: { 'worker-0': id } }],
  ])('is named by %s', async (_, node, config) => {
    expect(await locate(open(config), node)).toEqual({ tag: 'machine', machine: id });
  });

  test.each<[Node, string]>([
    [{}, 'has neither the annotation'],
    [{ providerId: 'aws:///zone/i-1' }, "no CPU with the id 'i-1', which the providerID of node worker-0 names"],
    [{ annotations: { [NODE_ANNOTATION]: '../../x' } }, "is no id of CDIM: '../../x'"],
    [{ name: 'constructor' }, 'has neither the annotation'],
  ])('is not there for %j', async (node, message) => {
    const told = await locate(open({ nodes: {} }), node);
    expect(told).toMatchObject({ tag: 'unmapped', message: expect.stringContaining(message) as string });
  });

  test('costs one call for all of them; one that is new is found soon', async () => {
    const world = open();
    const asked = ['a', 'b', 'c', 'd'].map((name) => locate(world, { name, providerId: `x/${name}` }));
    await Promise.all(asked);
    expect(await locate(world, { providerId: id })).toMatchObject({ tag: 'machine' });
    expect(world.sent).toHaveLength(1);
    await world.clock.advance(6_000);
    await locate(world, { providerId: id });
    expect(world.sent).toHaveLength(1);
    await locate(world, { name: 'new', providerId: 'new' });
    expect(world.sent).toHaveLength(2);
  });

  test('belongs to one of them; to another one when the first is long gone', async () => {
    const world = open();
    await locate(world, { name: 'first', providerId: id });
    const told = await locate(world, { name: 'second', providerId: id });
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
    expect(JSON.stringify(told)).toContain('nodes first and second both name');
    await world.clock.advance(600_000);
    expect(await locate(world, { name: 'second', providerId: id })).toMatchObject({ tag: 'machine' });
  });

  test('is not known when CDIM does not answer', async () => {
    const world = open();
    world.sim.faults.add({ times: Infinity, effect: { tag: 'hang' } });
    expect(await locate(world, { providerId: id })).toMatchObject({ tag: 'failed', failure: { kind: 'Unreachable' } });
  });
});
